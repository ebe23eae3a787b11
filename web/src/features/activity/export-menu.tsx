import { Button, Menu, Portal } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { exportActivity } from '@orchestrate/shared';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { dayOf } from '../../events/period.ts';
import { fetchFile } from '../../lib/api/fetch-file.ts';
import { saveFile } from '../../lib/browser/save-file.ts';
import { toastRefusal } from '../../lib/notices/toast-refusal.ts';
import { portalNow } from '../../lib/time/portal-time.ts';
import type { ActivityQuery } from './use-activity.ts';

const formats = [
  { format: 'csv', label: t`CSV, for a spreadsheet`, type: 'text/csv' },
  { format: 'ndjson', label: t`NDJSON, one event per line`, type: 'application/x-ndjson' },
] as const;

/** Exports everything that matches the filters as a file. */
export function ExportMenu({ filters }: { filters: ActivityQuery }) {
  const [isPending, setIsPending] = useState(false);
  const save = async ({ format, type }: (typeof formats)[number]) => {
    setIsPending(true);
    try {
      const file = await fetchFile(exportActivity, { query: { ...filters, format } });
      saveFile(`activity-${dayOf(portalNow())}.${format}`, type, file);
    } catch (failure) {
      toastRefusal(failure);
    } finally {
      setIsPending(false);
    }
  };
  return (
    <Menu.Root
      positioning={{ placement: 'bottom-end' }}
      onSelect={({ value }) => {
        const chosen = formats.find(({ format }) => format === value);
        if (chosen) void save(chosen);
      }}
      lazyMount
      unmountOnExit
    >
      <Menu.Trigger asChild>
        <Button variant="outline" loading={isPending} loadingText={t`Export`}>
          <Download aria-hidden />
          {t`Export`}
        </Button>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {formats.map(({ format, label }) => (
              <Menu.Item key={format} value={format}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
