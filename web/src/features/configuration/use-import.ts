import { plural, t } from '@lingui/core/macro';
import {
  type ConfigurationDifference,
  checkConfiguration,
  importConfiguration,
  type StaleFields,
} from '@orchestrate/shared';
import { useRef, useState } from 'react';
import { ApiRefusal } from '../../lib/api/api-refusal.ts';
import type { CacheGroup } from '../../lib/api/cache-groups.ts';
import { useWrite } from '../../lib/api/use-write.ts';
import { toastRefusal } from '../../lib/notices/toast-refusal.ts';
import { toast } from '../../lib/notices/toaster.ts';

const CHANGED: readonly CacheGroup[] = ['Org Settings', 'Roles', 'Applications', 'Mails'];

/** A file, and what importing it would change. */
export function useImport() {
  const check = useWrite(checkConfiguration);
  const save = useWrite(importConfiguration, { invalidates: CHANGED });
  const [file, setFile] = useState<File>();
  const [difference, setDifference] = useState<ConfigurationDifference>();
  /** What somebody else has changed since the difference was shown. */
  const [staleness, setStaleness] = useState<string>();
  const [hasImported, setHasImported] = useState(false);
  const text = useRef('');
  /** Of the files that were chosen, the last one counts. */
  const chosen = useRef<File>(undefined);

  async function choose(next: File | undefined): Promise<void> {
    chosen.current = next;
    setFile(next);
    setDifference(undefined);
    setStaleness(undefined);
    setHasImported(false);
    check.reset();
    if (!next) return;
    try {
      const written = await next.text();
      if (chosen.current !== next) return;
      text.current = written;
      const found = await check.run({ body: { configuration: written } });
      if (chosen.current === next) setDifference(found);
    } catch (failure) {
      // A refusal is shown beside the file.
      if (!(failure instanceof ApiRefusal)) throw failure;
    }
  }

  async function run(): Promise<void> {
    if (!difference) return;
    const imported = chosen.current;
    const isStill = () => chosen.current === imported;
    try {
      const { changes } = await save.run({ body: { configuration: text.current } }, { ifMatch: difference.version });
      toast.success(plural(changes.length, { one: '# change imported', other: '# changes imported' }));
      if (!isStill()) return;
      await choose(undefined);
      setHasImported(true);
    } catch (failure) {
      if (!(failure instanceof ApiRefusal)) throw failure;
      if (!isStill()) return toastRefusal(failure);
      if (failure.status === 412) {
        setDifference((failure.body as StaleFields<ConfigurationDifference>).current);
        setStaleness(
          t`Someone changed the configuration in the meantime, so nothing was imported. Review the changes again.`,
        );
      } else {
        toastRefusal(failure);
        // What prevents it is listed.
        if (failure.issues.length > 0) await choose(imported);
      }
    }
  }

  return {
    file,
    difference,
    staleness,
    /** Whether the last file was imported, and no other one has been chosen yet. */
    hasImported,
    refusal: check.refusal,
    isChecking: check.isPending,
    isImporting: save.isPending,
    choose,
    run,
  };
}
