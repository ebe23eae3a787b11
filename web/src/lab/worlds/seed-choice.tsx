import { t } from '@lingui/core/macro';
import { WORLD_BYTES, type World } from '@orchestrate/shared';
import type { WorldMistake } from '@orchestrate/shared/world-text';
import { type ReactNode, useState } from 'react';
import { ApiRefusal } from '#lib/api/api-refusal.ts';
import { loadPart } from '#lib/browser/lazy-part.ts';
import { FileDrop } from '#ui/form/file-drop.tsx';
import { FormField } from '#ui/form/form-field.tsx';
import { MistakeList } from '#ui/form/mistake-list.tsx';
import { Select } from '#ui/form/select.tsx';

const SEEDS = { demo: t`Demo data`, none: t`Empty portal` } as const;
const FILE = 'file';
const LABELS: Readonly<Record<string, string>> = { ...SEEDS, [FILE]: t`Your own world file` };

type Seed = keyof typeof SEEDS | World;

/** State of the control for choosing initial data: demo data, an empty portal, or a world file with its errors. */
export function useSeedChoice() {
  /** Key in `LABELS`, or value of an additional option. */
  const [chosen, setChosen] = useState('demo');
  const [file, setFile] = useState<File>();
  const [mistakes, setMistakes] = useState<readonly WorldMistake[]>([]);

  /**
   * Calls `send` with the chosen data. Returns false instead if the chosen file has errors. Rethrows errors from
   * `send`.
   */
  async function begin(send: (seed: Seed) => Promise<unknown>): Promise<boolean> {
    setMistakes([]);
    if (chosen !== FILE) {
      await send(chosen === 'none' ? 'none' : 'demo');
      return true;
    }
    if (!file) return false;
    const { readWorldText } = await loadPart(() => import('@orchestrate/shared/world-text'));
    const read = readWorldText(await file.text());
    setMistakes(read.mistakes);
    if (read.mistakes.length > 0) return false;
    try {
      // The type assertion is safe, because the portal validates the world.
      await send(read.world as World);
    } catch (failure) {
      if (failure instanceof ApiRefusal) setMistakes(read.locate(failure.issues.map(inWorld)));
      throw failure;
    }
    setFile(undefined);
    return true;
  }
  return {
    chosen,
    choose(next: string) {
      setMistakes([]);
      setChosen(next);
    },
    file: chosen === FILE ? file : undefined,
    setFile(next: File | undefined) {
      setMistakes([]);
      setFile(next);
    },
    mistakes,
    isReady: chosen !== FILE || file !== undefined,
    label: chosen === FILE ? (file?.name ?? '') : (LABELS[chosen] ?? ''),
    begin,
  };
}

const inWorld = ({ path, message }: { path: string; message: string }) => ({
  path: path.replace(/^seed\.?/, '').split('.'),
  message,
});

interface SeedFieldsProps {
  label: string;
  choice: ReturnType<typeof useSeedChoice>;
  /** Additional options in the select. */
  children?: ReactNode;
}

export function SeedField({ label, choice, children }: SeedFieldsProps) {
  return (
    <FormField label={label}>
      <Select value={choice.chosen} onChange={({ target }) => choice.choose(target.value)}>
        {Object.entries(LABELS).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
        {children}
      </Select>
    </FormField>
  );
}

/** World file input with the file's errors. */
export function SeedFile({ label, choice }: Omit<SeedFieldsProps, 'children'>) {
  if (choice.chosen !== FILE) return null;
  return (
    <>
      <FileDrop
        label={label}
        formats={['YAML', 'YML', 'JSON']}
        maxBytes={WORLD_BYTES}
        file={choice.file}
        onFile={choice.setFile}
      />
      {choice.mistakes.length > 0 && <MistakeList mistakes={choice.mistakes} />}
    </>
  );
}
