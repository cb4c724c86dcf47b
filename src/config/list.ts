/** The entries of a setting that lists them with commas. */
export const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
