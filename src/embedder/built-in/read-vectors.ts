import { ModelFailed } from '../../domain/core/errors.ts';

/** The JSON of a server's response; its shape is not trusted. */
type Answer = { data?: unknown };
type Entry = { index?: unknown; embedding?: unknown };

const MAX_DIMENSION = 16_000;

/** The error for a successful response that cannot be used. */
const unusable = (message: string) => new ModelFailed(message, { status: 200 });

/**
 * Reads the vectors of a response, in the order of the texts that were sent, and scales them to length 1.
 * @param count how many texts were sent
 * @param dimension the length that the vectors must have; null = that of the first one
 * @param setting the length that was requested (EMBEDDING_DIMENSIONS), for the error message
 * @throws ModelFailed if vectors are missing, have the wrong length or contain values that are not numbers
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
    // Some servers omit the index.
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
      'The embedding server answered a text with a vector that is zero or contains values that are not numbers.',
    );
  }
  return vector.map((value) => value / length);
}

function explainLength(found: number, wanted: number, setting: number | null): string {
  const problem = `The embedding server's vectors hold ${found} numbers instead of ${wanted}.`;
  if (setting === wanted) {
    return `${problem} It does not shorten them: remove EMBEDDING_DIMENSIONS, or set it to ${found}.`;
  }
  return `${problem} The server now has another model under this name: restart Mnemograph, and if that does not help, set EMBEDDING_DIMENSIONS to ${found}.`;
}
