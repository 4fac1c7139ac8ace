/** The elements of a setting that is a list, separated by commas. */
export const splitList = (text = ''): string[] =>
  text
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '')
