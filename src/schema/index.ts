import './api-key.ts';
import './episode.ts';
import './errors.ts';
import './event.ts';
import './forget.ts';
import './job.ts';
import './recall.ts';
import './remember.ts';
import './scalars.ts';
import './thread.ts';
import './turn.ts';
import './usage.ts';
import './user.ts';
import './vector-index.ts';
import { builder } from './builder.ts';

export const schema = builder.toSchema();
