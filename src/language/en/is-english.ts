import { STOPWORDS } from './words/english.ts';

/** Frequent words of German, Spanish, French, Italian, Dutch, Portuguese, Polish, Scandinavian languages, Finnish and Turkish. */
const FOREIGN = new Set(
  (
    'ich bin und nicht mein meine wohne habe der die das dem den von ist ein eine mit für auf wie kannst du mir bitte sie wir zu ' +
    'yo soy vivo tengo que el los las una un por para con muy está estoy puedes como pero mi es en de la y se ' +
    'je suis et le les une des pas mon ma avec pour dans sur qui du est vous nous que j habite sommes ' +
    'sono abito ho il di che non per uno mio mia della gli vivo anche ' +
    'ik ben het een niet mijn woon heb van dat kun voor met ook wij zijn ' +
    'eu sou moro tenho não uma com você meu minha em os um no da ' +
    'jestem mieszkam nie mam się jest na jag är och att som inte det jeg er og ikke mit på minä olen ben bir'
  )
    .split(' ')
    .filter((word) => !STOPWORDS.has(word)),
);
const LATIN = 0.9;
/** In a longer text at least one of so many words is an English function word. */
const FUNCTION_WORD = 12;
/** So few words may have none. */
const FEW = 8;

/** Whether a text is English, by its script and its frequent words. A few words without any count as English. */
export function isEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (latin < LATIN * letters) return false;
  const words = text.toLowerCase().match(/[\p{L}'’]+/gu) ?? [];
  const english = words.filter((word) => STOPWORDS.has(word.replace(/['’](?!t).*/, ''))).length;
  const foreign = words.filter((word) => FOREIGN.has(word)).length;
  return foreign <= english && (words.length < FEW || english * FUNCTION_WORD >= words.length);
}
