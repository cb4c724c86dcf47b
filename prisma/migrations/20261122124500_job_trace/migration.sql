-- What first woke a step, so that its trace goes on in the background. Transactions set it while tracing is on.
ALTER TABLE jobs
  ADD COLUMN traceparent text DEFAULT NULLIF(current_setting('mnemograph.traceparent', true), '');
