import type { EmbeddingProfile } from '../../domain/core/embedding-profile.ts';
import {
  type EmbeddingStatus,
  embeddingStatus,
  type VectorIndex,
  vectorIndexOf,
} from '../../recall/vector-index.ts';
import { builder } from '../core/builder.ts';

const VectorIndexType = builder.objectRef<VectorIndex>('VectorIndex').implement({
  description:
    'How many turns of a memory have vectors by the embedder in use; semantic search finds only those. After a change of ' +
    'embedder, all turns that have no vector by it are embedded in the background.',
  fields: (t) => ({
    embedder: t.exposeString('embedder', {
      nullable: true,
      description:
        'The name of the embedder in use, which makes the vectors. With some models it is null until the model is loaded or its ' +
        'server has first answered.',
    }),
    total: t.exposeInt('total', { description: 'How many turns the memory holds in total.' }),
    embedded: t.exposeInt('embedded', {
      description: 'Turns that have a vector by the current embedder.',
    }),
    pending: t.exposeInt('pending', {
      description: 'Turns that wait to be embedded; while `embedder` is null, all turns.',
    }),
    skipped: t.exposeInt('skipped', {
      description:
        'Turns that the embedder refused, so that semantic search does not find them. `decision` of TURNS_EMBEDDED events says ' +
        'how many, and why the first of them was refused.',
    }),
    share: t.exposeFloat('share', {
      description:
        'The share of all turns that are embedded or were refused, 0-1; 1 for a memory without turns, else 0 while the name of the ' +
        'embedder is not known.',
    }),
  }),
});

builder.prismaObjectField('User', 'vectorIndex', (t) =>
  t.field({
    type: VectorIndexType,
    nullable: true,
    description:
      'How much of this memory semantic search covers; null if vectors are switched off.',
    resolve: ({ id }, _args, { app }) => vectorIndexOf(app, id),
  }),
);

const ProfileType = builder.objectRef<EmbeddingProfile>('EmbeddingProfile').implement({
  description:
    'How the cosines of an embedding model are interpreted: measured by `npm run calibrate`, or neutral defaults (see ' +
    '`calibrated`).',
  fields: (t) => ({
    model: t.exposeString('model', {
      description: 'The embedding model that the profile describes.',
    }),
    calibrated: t.exposeBoolean('calibrated', {
      description:
        'True if the surprise values and thresholds were measured for this model; false if they are the neutral ones. ' +
        '`vectorWeight` was measured, too, if questions were given.',
    }),
    typicalSurprise: t.float({
      description:
        'The median of 1 − cosine between a turn and the mean of the turns before it (recent ones count more), within one topic.',
      resolve: ({ surprise }) => surprise.typical,
    }),
    highSurprise: t.float({
      description:
        'Within one topic, one turn in twenty has a 1 − cosine (as in `typicalSurprise`) above this value.',
      resolve: ({ surprise }) => surprise.high,
    }),
    topicThreshold: t.float({
      description:
        'A cosine between two turns and the two before them that is below this value is typical of a change of topic; one above, ' +
        'of a topic that goes on.',
      resolve: ({ thresholds }) => thresholds.topic,
    }),
    noveltyThreshold: t.float({
      description:
        'If the cosine of two stretches of conversation is above this value, they are probably about the same thing.',
      resolve: ({ thresholds }) => thresholds.novelty,
    }),
    sameFactThreshold: t.float({
      description:
        'Similarity alone makes a new fact without a key count as a stored one only from this cosine of their statements on. ' +
        'Each statement is compared together with its category.',
      resolve: ({ thresholds }) => thresholds.sameFact,
    }),
    vectorWeight: t.exposeFloat('vectorWeight', {
      description:
        'The weight of semantic similarity in the ranking, relative to a weight of 1 for keywords.',
    }),
    maxTokens: t.exposeInt('maxTokens', {
      description:
        'How many tokens (by o200k_base) of a text the model reads; the rest is cut off.',
    }),
  }),
});

const EmbeddingType = builder.objectRef<EmbeddingStatus>('Embedding').implement({
  description:
    'The embedder of this deployment (the model that turns texts into vectors) and how many turns it has yet to embed.',
  fields: (t) => ({
    name: t.exposeString('name', {
      nullable: true,
      description:
        'The name of the embedder. It includes everything that the vectors depend on: only vectors of the same name are ' +
        'compared. With some models it is null until the model is loaded or its server has first answered.',
    }),
    dimension: t.exposeInt('dimension', {
      nullable: true,
      description: 'The number of components of a vector; null as long as `name` is null.',
    }),
    profile: t.expose('profile', {
      type: ProfileType,
      description: 'How the cosines of this embedder are interpreted.',
    }),
    usersPending: t.exposeInt('usersPending', {
      description:
        'How many users have turns that wait to be embedded; while `name` is null, all users with turns. It may be too high if ' +
        'turns were forgotten.',
    }),
    turnsPending: t.exposeInt('turnsPending', {
      description:
        'How many turns of all users wait to be embedded; while `name` is null, all turns. It may be too high if turns were ' +
        'forgotten.',
    }),
  }),
});

builder.queryField('embedding', (t) =>
  t.field({
    type: EmbeddingType,
    nullable: true,
    description:
      'The embedder of this deployment and its backlog; null if vectors are switched off. Requires an API key that acts for ' +
      'all users, or the local user.',
    authScopes: { operator: true },
    resolve: (_root, _args, { app }) => embeddingStatus(app),
  }),
);
