/** `1 file`, `2 files`. @param noun in the singular; its plural ends in `s` */
export const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
