/**
 * A pattern that a text matches if anything of it would be seen: a character that is neither white space nor a control,
 * nor of no width (Unicode, "Default_Ignorable_Code_Point", as far as it is in the first 65,536), nor the empty braille
 * cell or an interlinear mark. Its ranges are spelled out since many readers of OpenAPI cannot tell `\p{…}`.
 */
export const visible =
  '[^\\s\\u0000-\\u0020\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5' +
  '\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB]'

const somethingVisible = new RegExp(visible, 'u')

/** Whether nothing of the text would be seen. */
export const isBlank = (text: string): boolean => !somethingVisible.test(text)
