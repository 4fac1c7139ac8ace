/** Whether a cell of a spreadsheet means no, in English, German, French or Spanish. */
export const isNo = (cell: string): boolean => /^(?:0|n|no|false|nein|non|falsch|faux|falso)$/i.test(cell)

/** Whether it means yes. */
export const isYes = (cell: string): boolean => /^(?:1|x|y|yes|true|ja|oui|wahr|vrai|si|sí|verdadero|ein)$/i.test(cell)
