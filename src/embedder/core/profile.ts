import { BUILT_IN_MODEL, type EmbeddingProfile } from '../../domain/core/embedding-profile.ts';

/**
 * The profile of the built-in model, measured by `npm run calibrate` on the development halves of DialSeg711, TIAGE and
 * LoCoMo (760 questions; the evidence found with vector weights of 0.5 to 1.25 differs by 0.6 % at most).
 */
export const BUILT_IN_PROFILE: EmbeddingProfile = {
  model: BUILT_IN_MODEL,
  dimension: 512,
  calibrated: true,
  surprise: { typical: 0.517, high: 0.772 },
  thresholds: { topic: 0.454, novelty: 0.494, sameFact: 0.639 },
  vectorWeight: 0.75,
  prefixes: { query: '', document: '' },
  maxTokens: 1_024,
};

/**
 * The neutral profile, for a model without calibration: a compromise between text-embedding-3 (wide range of cosines) and
 * the e5 family (all cosines above 0.7), exact for neither. `maxTokens` is low, since the tokenizers of models with a limit
 * of 512 often split a text into more tokens than o200k_base.
 */
const UNKNOWN: Omit<EmbeddingProfile, 'model'> = {
  dimension: null,
  calibrated: false,
  surprise: { typical: 0.4, high: 0.65 },
  thresholds: { topic: 0.5, novelty: 0.7, sameFact: 0.8 },
  vectorWeight: 0.75,
  prefixes: { query: '', document: '' },
  maxTokens: 400,
};

type KnownModel = { name: RegExp } & Partial<Omit<EmbeddingProfile, 'model' | 'calibrated'>>;

const E5 = { query: 'query: ', document: 'passage: ' };
const NOMIC = { query: 'search_query: ', document: 'search_document: ' };
const ARCTIC = { query: 'query: ', document: '' };
const BGE = {
  query: 'Represent this sentence for searching relevant passages: ',
  document: '',
};
const GEMMA = { query: 'task: search result | query: ', document: 'title: none | text: ' };
const QWEN = {
  query:
    'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:',
  document: '',
};

/**
 * What the authors of common models document, by the model's name without publisher and tag. The dimension is given only
 * where the name determines it; for the others it is read from the first response. Their cosines are not calibrated: see
 * `npm run calibrate`.
 */
const KNOWN: readonly KnownModel[] = [
  { name: /^text-embedding-3-small$/, dimension: 1_536, maxTokens: 8_191 },
  { name: /^text-embedding-3-large$/, dimension: 3_072, maxTokens: 8_191 },
  { name: /^text-embedding-ada-002$/, dimension: 1_536, maxTokens: 8_191 },
  { name: /^nomic-embed-text(-v1(\.5)?)?$/, maxTokens: 1_800, prefixes: NOMIC },
  { name: /^bge-m3$/, maxTokens: 6_000 },
  { name: /^bge-large-en(-v1\.5)?$/, prefixes: BGE },
  { name: /^bge-base-en(-v1\.5)?$/, prefixes: BGE },
  { name: /^bge-small-en(-v1\.5)?$/, prefixes: BGE },
  { name: /^(multilingual-)?e5-large(-v2)?$/, prefixes: E5 },
  { name: /^(multilingual-)?e5-base(-v2)?$/, prefixes: E5 },
  { name: /^(multilingual-)?e5-small(-v2)?$/, prefixes: E5 },
  { name: /^mxbai-embed-large(-v1)?$/, prefixes: BGE },
  { name: /^all-minilm(-l\d+-v2)?$/, maxTokens: 220 },
  { name: /^(snowflake-)?arctic-embed-(m|l)2?(-v2\.0)?$/, prefixes: ARCTIC },
  { name: /^embeddinggemma(-300m)?$/, maxTokens: 1_500, prefixes: GEMMA },
  { name: /^qwen3-embedding(-0\.6b)?$/, maxTokens: 8_000, prefixes: QWEN },
];

/** A model's name without publisher, tag and "-ONNX": "nomic-ai/Nomic-Embed-Text:latest" → "nomic-embed-text". */
export const bareName = (model: string): string =>
  ((model.split('/').at(-1) ?? model).split(':')[0] ?? model).toLowerCase().replace(/-onnx$/, '');

/** The profile of a model by its name: what its authors document, and the neutral profile for the rest. */
export function profileOf(model: string): EmbeddingProfile {
  const bare = bareName(model);
  const { name: _, ...profile } = KNOWN.find(({ name }) => name.test(bare)) ?? { name: /$/ };
  return { ...UNKNOWN, ...profile, model };
}
