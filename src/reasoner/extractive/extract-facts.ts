import { isEnglish } from '../../language/en/is-english.ts';
import { HOUR } from '../../shared/duration.ts';
import { isSpoken } from '../../shared/role.ts';
import type { StepArguments, StepOutput, Utterance } from '../reasoner.ts';
import { candidateOf, withoutRepeats } from './facts/candidates.ts';
import { notesOf, type SplitTurn } from './facts/notes/notes.ts';
import { readSentence } from './facts/read-sentence.ts';
import { answerInFull } from './facts/rules/answers.ts';
import { asCorrections, type Draft } from './facts/text/draft.ts';
import { SUPPOSES } from './facts/text/moods.ts';
import { MAKE_BELIEVE, ownWords, REAL_AGAIN, SARCASM } from './facts/text/own-words.ts';
import { isOfAnother, JOKE, withReferents } from './facts/text/referents.ts';
import { beingOfFact, meet, openScene, type Scene } from './facts/text/scene.ts';
import { contrasted, restated } from './facts/text/self-correction.ts';
import { writtenSentences } from './facts/text/sentences.ts';

/** A pause of this length ends a game of make-believe, in milliseconds. */
const GAME_ENDS_AFTER = 3 * HOUR;

/**
 * Extracts facts about the user and those close to them, by English patterns. Only the user's own statements count:
 * quoted, pasted, imagined and asked sentences and those of others give no facts.
 */
export function readFacts(input: StepArguments<'extract-facts'>): StepOutput<'extract-facts'> {
  const { turns, contextTurns, known } = input;
  const facts: StepOutput<'extract-facts'>['facts'] = [];
  for (const { index, drafts, notable } of readTurns(input)) {
    if (index < contextTurns) continue;
    if (JOKE.test(turns[index]?.text ?? '')) {
      const last = turns.slice(0, index).findLastIndex(({ role }) => role === 'USER');
      while (last >= 0 && facts.at(-1)?.turn === last) facts.pop();
    }
    facts.push(...drafts.map((draft) => candidateOf(draft, known, index)));
    if (notable) facts.push(...notesOf(notable, known, index));
  }
  return { facts };
}

type Read = { drafts: Draft[]; notable: SplitTurn | null };

/** Reads the user's turns one after the other: facts by patterns, and the text that may be a note (`notable`). Irony gives neither. */
export function* readTurns({
  turns,
  known,
}: Pick<StepArguments<'extract-facts'>, 'turns' | 'known'>): Generator<Read & { index: number }> {
  const scene = openScene(known);
  let isPlaying = false;
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1];
    if (turn.role !== 'USER') continue;
    isPlaying = plays(isPlaying, turn, before);
    if (isPlaying) continue;
    scene.speaker = turn.speaker;
    scene.occurredAt = turn.occurredAt;
    scene.turn += 1;
    yield { index, ...readTurn(turn, questionBefore(turns, index), scene) };
  }
}

function plays(isPlaying: boolean, turn: Utterance, before: Utterance | undefined): boolean {
  if (REAL_AGAIN.test(turn.text)) return false;
  if (MAKE_BELIEVE.test(turn.text)) return true;
  const gap = before ? turn.occurredAt.getTime() - before.occurredAt.getTime() : 0;
  return isPlaying && gap <= GAME_ENDS_AFTER;
}

/** The assistant's turn right before this one; null if somebody else spoke last. */
function questionBefore(turns: readonly Utterance[], index: number): string | null {
  const before = turns.slice(0, index).findLast(isSpoken);
  return before?.role === 'ASSISTANT' ? before.text : null;
}

function readTurn(turn: Utterance, question: string | null, scene: Scene): Read {
  const own = ownWords(turn.text);
  const full = answerInFull(question, own);
  if (!isEnglish(full ?? own)) return { drafts: [], notable: null };
  const sentences =
    full === null ? writtenSentences(own) : [...writtenSentences(full), ...writtenSentences(own)];
  scene.asked = question;
  const { drafts, byPatterns } = readSentences(sentences, own, scene);
  const read = withoutRepeats(drafts);
  if (SARCASM.test(own)) {
    const isTaste = /^(?:PREFERENCE|INTEREST)$/;
    return { drafts: read.filter(({ category }) => !isTaste.test(category)), notable: null };
  }
  const notable = { text: turn.text, sentences: writtenSentences(own), question, byPatterns };
  return { drafts: read, notable };
}

/**
 * Reads the sentences of a turn. Drops what a later sentence takes back.
 * @returns the drafts, and the sentences in which a pattern found something (`byPatterns`)
 */
function readSentences(sentences: readonly string[], turn: string, scene: Scene) {
  const byPatterns = new Set<string>();
  let drafts: Draft[] = [];
  let newest: readonly Draft[] = [];
  let before = '';
  for (const written of sentences) {
    if (SUPPOSES.test(written)) break;
    if (JOKE.test(written)) drafts = [];
    if (isOfAnother(written)) drafts = drafts.filter((draft) => !newest.includes(draft));
    const sentence = withReferents(written, before, scene.asked);
    before = `${before} ${written}`;
    const again = correctionIn(sentence, turn, scene);
    const read = readSentence(again ?? sentence, scene);
    if (read.some(({ isAside }) => !isAside)) byPatterns.add(written);
    newest = asCorrections(read, again !== null);
    for (const found of newest) meet(scene, beingOfFact(found));
    const keyed = newest.filter(({ key }) => key !== null);
    scene.said.push(...keyed.map(({ key, value }) => ({ key, value, turn: scene.turn })));
    drafts.push(...newest);
  }
  return { drafts, byPatterns };
}

/** The correction of an earlier fact in full words ("no, Bath" → "I live in Bath"); null if a sentence is none. */
const correctionIn = (sentence: string, turn: string, scene: Scene): string | null =>
  contrasted(sentence, scene) ?? contrasted(turn, scene) ?? restated(sentence, turn, scene);
