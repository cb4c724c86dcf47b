/** Whether the text fits without counting: a token of o200k_base is at least one byte. */
const fits = (text: string, tokens: number): boolean =>
  text.length <= tokens && Buffer.byteLength(text) <= tokens;

/**
 * The first `tokens` tokens of a text, in o200k_base. The tokenizer (2 MB of tables) is loaded when a
 * text first needs it.
 */
export async function cutForModel(text: string, tokens: number): Promise<string> {
  if (fits(text, tokens)) return text;
  return (await import('../../language/text/tokens.ts')).cutText(text, tokens);
}
