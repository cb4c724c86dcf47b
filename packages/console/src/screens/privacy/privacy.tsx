import { useAddress } from '../../app/address.ts';
import { Screen } from '../../ui/screen.tsx';
import { ArchivePanel } from './archive.tsx';
import { ForgetPanel } from './forget.tsx';
import { PreviewPanel } from './preview.tsx';

/** Forgets for good, after a look at what goes; exports and imports the whole memory. */
export function PrivacyScreen() {
  const [{ forget }, change] = useAddress();
  return (
    <Screen
      title="Privacy"
      about="What is forgotten is gone for good. An archive holds all of a memory."
    >
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ForgetPanel onChoose={(id) => change({ forget: id })} />
        {forget ? (
          <PreviewPanel
            key={forget}
            what={forget}
            onDone={() => change({ forget: undefined }, true)}
          />
        ) : (
          <ArchivePanel />
        )}
      </div>
    </Screen>
  );
}
