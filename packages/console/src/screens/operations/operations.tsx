import { Screen } from '../../ui/screen.tsx';
import { DeploymentPanel } from './deployment.tsx';
import { JobsPanel } from './jobs.tsx';
import { SettingsPanel, VectorsPanel } from './settings.tsx';
import { UsagePanel } from './usage.tsx';

/** How the server and the background work of this memory are doing. */
export function OperationsScreen() {
  return (
    <Screen
      title="Operations"
      about="How the server is doing, and what is still to be done for this memory."
    >
      <DeploymentPanel />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <JobsPanel />
          <VectorsPanel />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <UsagePanel />
          <SettingsPanel />
        </div>
      </div>
    </Screen>
  );
}
