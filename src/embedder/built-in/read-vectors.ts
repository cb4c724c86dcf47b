import { ModelFailed } from '../../domain/core/errors.ts';

/** What a server answered in JSON; it may be anything. */
type Answer = { data?: unknown };
type Entry = { index?: unknown; embedding?: unknown };

const MAX_DIMENSION = 16_000;

/** The server answered, and its answer is of no use. */
const unusable = (message: string) => new ModelFailed(message, { status: 200 });

/**
 * The vectors of an answer in the order of the texts asked for, at length 1.
 * @param dimension what they must hold; null = whatever the first one holds
 * @throws ModelFailed when anything is missing, of another length or no number
 */
export function readVectors(
  answer: Answer,
  count: number,
  dimension: number | null,
  setting: number | null,
): Float32Array[] {
  const data: Entry[] = Array.isArray(answer?.data) ? answer.data : [];
  if (data.length !== count) {
    throw unusable(
      `The embedding server answered ${count} texts with ${data.length} vectors. Set EMBEDDING_BATCH to 1 if it takes only one text at a time.`,
    );
  }
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  for (const [place, entry] of data.entries()) {
    // Some servers leave the index out.
    const index = entry?.index ?? place;
    if (typeof index !== 'number' || !(index in vectors) || vectors[index]) {
      throw unusable('The embedding server numbers its vectors wrongly.');
    }
    vectors[index] = readVector(entry?.embedding);
  }
  const wanted = dimension ?? vectors[0]?.length ?? 0;
  const wrong = vectors.find((vector) => vector?.length !== wanted);
  if (wrong) throw unusable(explainLength(wrong.length, wanted, setting));
  return vectors as Float32Array[];
}

function readVector(embedding: unknown): Float32Array {
  if (!Array.isArray(embedding) || embedding.length === 0) {
    throw unusable(
      'The embedding server answered without numbers. EMBEDDING_MODEL must be an embedding model.',
    );
  }
  if (embedding.length > MAX_DIMENSION) {
    throw unusable(
      `The embedding model's vectors hold ${embedding.length} numbers; at most ${MAX_DIMENSION} can be ` +
        'stored. Set EMBEDDING_DIMENSIONS or another EMBEDDING_MODEL.',
    );
  }
  const vector = Float32Array.from(embedding, (value) =>
    typeof value === 'number' ? value : Number.NaN,
  );
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length === 0) {
    throw unusable(
      'The embedding server answered a text with a vector that is zero or holds what is no number.',
    );
  }
  return vector.map((value) => value / length);
}

function explainLength(found: number, wanted: number, setting: number | null): string {
  const what = `The embedding server's vectors hold ${found} numbers instead of ${wanted}.`;
  if (setting === wanted) {
    return `${what} It does not shorten them: leave EMBEDDING_DIMENSIONS out, or set it to ${found}.`;
  }
  return `${what} The model behind this name is another one by now: restart Mnemograph, and set EMBEDDING_DIMENSIONS to ${found} if it stays so.`;
}
