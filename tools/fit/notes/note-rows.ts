import { readTurns } from '../../../src/reasoner/extractive/extract-facts.ts';
import {
  NOTE_FEATURES,
  noteFeatures,
} from '../../../src/reasoner/extractive/facts/notes/note-features.ts';
import { notableSentences } from '../../../src/reasoner/extractive/facts/notes/notes.ts';
import type { Utterance } from '../../../src/reasoner/reasoner.ts';
import type { Chat } from '../../eval/chats/chat-file.ts';
import type { LabelledConversation } from '../../eval/fact-scores.ts';

/** A sentence to fit on. */
export type NoteRow = {
  /** The person's file; null for a conversation without notes. */
  person: string | null;
  /** The fold of the cross-validation. All sentences of a person are in the same fold. */
  fold: number;
  features: number[];
  /** The indexes of the labelled facts that it states. */
  labels: number[];
  /** Whether it matches an expression that no fact may match. */
  isWrong: boolean;
};

/** Returns the sentences of a person's chats that may become notes. */
export function rowsOfChat(chat: Chat, fold: number): NoteRow[] {
  const activeFacts = chat.facts.flatMap(({ value, until }, at) =>
    until === null ? [{ at, value }] : [],
  );
  const turnsOf = ({ turns }: Chat['conversations'][number]): Utterance[] =>
    turns.map(({ role, text, at }) => ({ role, text, speaker: null, occurredAt: new Date(at) }));
  return chat.conversations.flatMap((conversation) =>
    sentencesOf(turnsOf(conversation)).map(({ text, features }) => ({
      person: chat.file,
      fold,
      features,
      labels: activeFacts.flatMap(({ at, value }) =>
        value.every((one) => one.test(text)) ? [at] : [],
      ),
      isWrong: chat.notFacts.some((one) => one.test(text)),
    })),
  );
}

/** Returns the sentences without a fact by the patterns, of a conversation whose facts the patterns find: none of them is a note. */
export const rowsOfConversation = ({ turns }: LabelledConversation, fold: number): NoteRow[] =>
  sentencesOf(turns.map((turn) => ({ ...turn, occurredAt: new Date(turn.occurredAt) }))).map(
    ({ features }) => ({ person: null, fold, features, labels: [], isWrong: false }),
  );

function sentencesOf(turns: Utterance[]): { text: string; features: number[] }[] {
  return Array.from(readTurns({ turns, known: [] })).flatMap(({ notable }) =>
    (notable ? notableSentences(notable) : []).map((sentence) => {
      const features = noteFeatures(sentence);
      return { text: sentence.text, features: NOTE_FEATURES.map((name) => features[name]) };
    }),
  );
}
