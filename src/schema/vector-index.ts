import type { EmbeddingProfile } from '../domain/embedding-profile.ts';
import {
  type EmbeddingStatus,
  embeddingStatus,
  type VectorIndex,
  vectorIndexOf,
} from '../recall/vector-index.ts';
import { builder } from './builder.ts';

const VectorIndexType = builder.objectRef<VectorIndex>('VectorIndex').implement({
  description:
    'How far a memory is found by meaning. After a change of the embedder all turns are embedded anew in the background; recall takes the vectors that are there, and words for the rest.',
  fields: (t) => ({
    embedder: t.exposeString('embedder', {
      nullable: true,
      description: "The embedder in use; null while its server has not told its vectors' length.",
    }),
    total: t.exposeInt('total', { description: 'Turns remembered.' }),
    embedded: t.exposeInt('embedded', { description: 'Those with a vector by this embedder.' }),
    pending: t.exposeInt('pending', { description: 'Those that it has not come to.' }),
    skipped: t.exposeInt('skipped', {
      description: 'Those that it refuses, see TURNS_INDEXED events: found by words only.',
    }),
    share: t.exposeFloat('share', { description: 'What of all turns is done, 0-1.' }),
  }),
});

builder.prismaObjectField('User', 'vectorIndex', (t) =>
  t.field({
    type: VectorIndexType,
    nullable: true,
    description: 'How far the turns have their vectors; null when vectors are switched off.',
    resolve: ({ id }, _args, { app }) => vectorIndexOf(app, id),
  }),
);

const ProfileType = builder.objectRef<EmbeddingProfile>('EmbeddingProfile').implement({
  description: "How an embedding model's numbers are read, see `npm run calibrate`.",
  fields: (t) => ({
    model: t.exposeString('model', { description: 'The model it is about.' }),
    calibrated: t.exposeBoolean('calibrated', {
      description: 'Whether it was measured; otherwise it is a default.',
    }),
    typicalSurprise: t.float({
      description: '1 − cosine of a turn and what came before it: usual inside a topic.',
      resolve: ({ surprise }) => surprise.typical,
    }),
    highSurprise: t.float({
      description: 'The same, as one turn in twenty exceeds it.',
      resolve: ({ surprise }) => surprise.high,
    }),
    topicThreshold: t.float({
      description: 'Cosine of neighbouring turns below which another topic is likelier.',
      resolve: ({ thresholds }) => thresholds.topic,
    }),
    noveltyThreshold: t.float({
      description: 'Cosine of two stretches of talk above which they are likelier about one thing.',
      resolve: ({ thresholds }) => thresholds.novelty,
    }),
    sameFactThreshold: t.float({
      description: 'Cosine of two statements below which they are not the same fact.',
      resolve: ({ thresholds }) => thresholds.sameFact,
    }),
    vectorWeight: t.exposeFloat('vectorWeight', {
      description: 'What meaning counts in the ranking, where words count 1.',
    }),
    maxTokens: t.exposeInt('maxTokens', {
      description: 'Tokens of a text that the model reads; the rest is cut off.',
    }),
  }),
});

const EmbeddingType = builder.objectRef<EmbeddingStatus>('Embedding').implement({
  description: 'What turns text into vectors here, and how far it has come.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description:
        "Only vectors of one name compare; null while the model's server has not answered.",
    }),
    dimension: t.exposeInt('dimension', {
      nullable: true,
      description: 'The length of a vector; null like `name`.',
    }),
    profile: t.expose('profile', { type: ProfileType, description: 'How its cosines are read.' }),
    usersPending: t.exposeInt('usersPending', { description: 'Users with turns to embed.' }),
    turnsPending: t.exposeInt('turnsPending', {
      description: 'Turns to embed; a little too many where turns were forgotten.',
    }),
  }),
});

builder.queryField('embedding', (t) =>
  t.field({
    type: EmbeddingType,
    nullable: true,
    description:
      'The embedder of this deployment and its progress; null when vectors are switched off. For API keys and the local user.',
    authScopes: { admin: true },
    resolve: (_root, _args, { app }) => embeddingStatus(app),
  }),
);
