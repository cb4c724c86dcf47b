/** Splits a comma-separated setting into its entries. Empty entries are dropped. */
export const entriesOf = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
