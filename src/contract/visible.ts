/**
 * A pattern that matches text with at least one visible character: not white space, a control character, a zero-width
 * character (Unicode, "Default_Ignorable_Code_Point", within the first 65,536), an empty braille cell or an interlinear
 * mark. The ranges are spelled out because many OpenAPI tools do not support `\p{…}`.
 */
export const visible =
  '[^\\s\\u0000-\\u0020\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5' +
  '\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB]'

const visibleCharacter = new RegExp(visible, 'u')

/** Whether the text has no visible character. */
export const isBlank = (text: string): boolean => !visibleCharacter.test(text)
