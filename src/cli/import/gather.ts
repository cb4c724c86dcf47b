import { type Conversation, type Skipped, skip } from './conversation.ts';
import { createOpenParts } from './open-parts.ts';
import { createRequests, type Part } from './requests.ts';

/** Combines the turns of conversations, which may come in pieces and mixed, into parts of a suitable size for a request. */
export async function* gather(
  conversations: AsyncIterable<Conversation>,
  skipped: Skipped,
): AsyncGenerator<Part> {
  const open = createOpenParts();
  const requests = createRequests();
  for await (const given of oneByOne(conversations, skipped)) {
    for (const part of open.add(given)) yield* requests.of(part, open.anchorOf(part.id));
  }
  for (const part of open.rest()) yield* requests.of(part, open.anchorOf(part.id));
}

async function* oneByOne(conversations: AsyncIterable<Conversation>, skipped: Skipped) {
  for await (const { turns, id, title, skipped: reasons } of conversations) {
    for (const [reason, count] of Object.entries(reasons)) skip(skipped, reason, count);
    for (const turn of turns) yield { id, title, turn };
  }
}
