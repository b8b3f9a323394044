/** A pattern of LIKE, with `\` as its escape, for what contains a text: nothing in the text stands for something else. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`
