import { WHOLE } from '../../src/domain/links/linking.ts';
import { pickOne, seededRandom } from '../support/random.ts';
import type { Chat } from './chats/chat-file.ts';

/** A dialogue cut into topics: utterance `boundaries[i]` opens a topic. */
export type CutDialogue = { id: string; utterances: string[]; boundaries: number[] };

/** Two runs of utterances, and whether they are halves of one topic. */
export type LinkingPair = {
  kind: 'positive' | 'easy' | 'hard';
  /** The dialogue of the first run: pairs of one dialogue stay in one fold. */
  dialogue: string;
  /** `from` is the number of the first utterance; even numbers are the user's. */
  thread: { from: number; texts: string[] };
  message: { from: number; texts: string[] };
};

type Half = { dialogue: string; topic: number; from: number; texts: string[] };
type Topic = { first: Half; second: Half };

/** The fewest utterances of a half. */
const HALF = 2;

function topicsOf({ id, utterances, boundaries }: CutDialogue): Topic[] {
  const starts = [0, ...boundaries];
  return starts.flatMap((from, topic) => {
    const end = starts[topic + 1] ?? utterances.length;
    const middle = from + Math.floor((end - from) / 2);
    if (end - from < 2 * HALF) return [];
    const half = (start: number, stop: number): Half => ({
      dialogue: id,
      topic,
      from: start,
      texts: utterances.slice(start, stop),
    });
    return [{ first: half(from, middle), second: half(middle, end) }];
  });
}

/**
 * Returns pairs to fit or evaluate linking. Positives are the two halves of one topic. Each comes with a negative, whose
 * second half is alternately of another dialogue (easy) and of a neighbouring topic (hard; easy if there is none).
 * The same seed gives the same pairs.
 */
export function linkingPairs(dialogues: readonly CutDialogue[], seed = 1): LinkingPair[] {
  const random = seededRandom(seed);
  const topics = dialogues.map(topicsOf);
  const every = topics.flat();
  let hard = false;
  return every.flatMap((topic): LinkingPair[] => {
    const { dialogue } = topic.first;
    const neighbours = every.filter(
      ({ first }) => first.dialogue === dialogue && Math.abs(first.topic - topic.first.topic) === 1,
    );
    const others = every.filter(({ first }) => first.dialogue !== dialogue);
    hard = !hard;
    const kind = hard && neighbours.length > 0 ? 'hard' : 'easy';
    const pool = kind === 'hard' ? neighbours : others;
    const positive = pair('positive', topic.first, topic.second);
    return pool.length === 0
      ? [positive]
      : [positive, pair(kind, topic.first, pickOne(random, pool).second)];
  });
}

const pair = (kind: LinkingPair['kind'], first: Half, second: Half): LinkingPair => ({
  kind,
  dialogue: first.dialogue,
  thread: { from: first.from, texts: first.texts },
  message: { from: second.from, texts: second.texts },
});

/** Returns the labelled pairs of a person's conversations, each with the turns that the server compares at the end. */
export function chatPairs({ id, conversations, links, notLinks }: Chat): LinkingPair[] {
  const isIn = (pairs: readonly (readonly string[])[], one: string, other: string) =>
    pairs.some((pair) => pair.includes(one) && pair.includes(other));
  return conversations.flatMap((later, at) =>
    conversations.slice(0, at).flatMap((earlier): LinkingPair[] => {
      const isLink = isIn(links, earlier.id, later.id);
      if (!isLink && !isIn(notLinks, earlier.id, later.id)) return [];
      const texts = earlier.turns.slice(-WHOLE).map(({ text }) => text);
      return [
        {
          kind: isLink ? 'positive' : 'hard',
          dialogue: id,
          thread: { from: 0, texts },
          message: { from: 0, texts: later.turns.slice(0, WHOLE).map(({ text }) => text) },
        },
      ];
    }),
  );
}
