import { Screen } from '../../ui/screen.tsx';

/** Threads in lanes. */
export function TimelineScreen() {
  return (
    <Screen title="Timeline" about="Threads in lanes by channel.">
      …
    </Screen>
  );
}
