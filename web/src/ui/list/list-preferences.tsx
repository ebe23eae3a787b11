import { Button, Flex, Input, Menu, Portal } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { readJson } from '@orchestrate/shared';
import { BookmarkPlus, Check, Columns3, X } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAddressChange } from '#lib/address/use-address-change.ts';
import { readStored, writeStored } from '#lib/browser/stored.ts';
import { useSession } from '#lib/session/session.ts';
import { FormField } from '../form/form-field.tsx';
import { FormModal } from '../form/form-modal.tsx';

const KEY = 'orchestrate.lists';
const NAME_MAX = 40;
/** Number of saved filters per list. */
const SAVED_MAX = 10;

interface Preferences {
  saved: { name: string; search: string }[];
  /** Keys of the hidden columns. */
  hidden: string[];
}

const NONE: Preferences = { saved: [], hidden: [] };
const listeners = new Set<() => void>();
let cached: { text: string | null; all: Record<string, Preferences> } = { text: null, all: {} };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns the preferences by user and list, without anything that another version of the client has stored. */
function preferencesIn(stored: unknown): Record<string, Preferences> {
  const entries = Object.entries(isRecord(stored) ? stored : {}).flatMap(([key, value]) => {
    if (!isRecord(value)) return [];
    const saved = listOf(value.saved).flatMap((filter) => {
      const { name, search } = isRecord(filter) ? filter : {};
      return typeof name === 'string' && typeof search === 'string' ? [{ name, search }] : [];
    });
    return [[key, { saved, hidden: listOf(value.hidden).filter((column) => typeof column === 'string') }] as const];
  });
  return Object.fromEntries(entries);
}

function readAll(): Record<string, Preferences> {
  const text = readStored(KEY);
  if (text !== cached.text) cached = { text, all: preferencesIn(readJson(text)) };
  return cached.all;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

/**
 * Returns the signed-in user's preferences for a list, stored in this browser.
 * @param list e.g. `sign-ins`
 */
function usePreferences(list: string): [Preferences, (change: Partial<Preferences>) => void] {
  const key = `${useSession()?.profile.suid ?? ''} ${list}`;
  const own = useSyncExternalStore(subscribe, readAll)[key] ?? NONE;
  const change = (changed: Partial<Preferences>) => {
    writeStored(KEY, JSON.stringify({ ...readAll(), [key]: { ...own, ...changed } }));
    for (const listener of listeners) listener();
  };
  return [own, change];
}

interface SavedFiltersProps {
  /** Name of the list in the storage, e.g. `sign-ins`. */
  list: string;
  /** Query parameters to save. Leave out the period, which would soon be in the past. */
  parameters: readonly string[];
}

/** Saves the list's filters under a name, and applies saved filters with one click. */
export function SavedFilters({ list, parameters }: SavedFiltersProps) {
  const [{ saved }, change] = usePreferences(list);
  const [isNaming, setIsNaming] = useState(false);
  const [search] = useSearchParams();
  const changeAddress = useAddressChange();
  const present = new URLSearchParams(
    parameters.flatMap((name) => (search.get(name) ? [[name, search.get(name) ?? '']] : [])),
  ).toString();
  const canSave = present !== '' && saved.length < SAVED_MAX && saved.every((filter) => filter.search !== present);
  if (saved.length === 0 && !canSave) return null;

  const apply = (wanted: string) => {
    const values = new URLSearchParams(wanted);
    changeAddress(Object.fromEntries(parameters.map((name) => [name, values.get(name)])));
  };
  const save = (name: string) => {
    const others = saved.filter((filter) => filter.name !== name);
    change({ saved: [...others, { name, search: present }] });
    setIsNaming(false);
  };
  return (
    <Flex gap="2" wrap="wrap" align="center" role="group" aria-label={t`Saved filters`}>
      {saved.map(({ name, search: wanted }) => (
        <Flex key={name} role="group" aria-label={name}>
          <Button
            variant="outline"
            size="sm"
            borderEndRadius="0"
            aria-pressed={wanted === present}
            _pressed={{ bg: 'brand.subtle', borderColor: 'brand.line' }}
            onClick={() => apply(wanted === present ? '' : wanted)}
          >
            {wanted === present && <Check aria-hidden />}
            {name}
          </Button>
          <Button
            variant="outline"
            size="sm"
            px="2"
            ms="-1px"
            borderStartRadius="0"
            aria-label={t`Delete saved filter ${name}`}
            onClick={() => change({ saved: saved.filter((filter) => filter.name !== name) })}
          >
            <X aria-hidden />
          </Button>
        </Flex>
      ))}
      {canSave && (
        <Button variant="ghost" size="sm" onClick={() => setIsNaming(true)}>
          <BookmarkPlus aria-hidden />
          {t`Save filters`}
        </Button>
      )}
      <NameDialog isOpen={isNaming} onClose={() => setIsNaming(false)} onSave={save} />
    </Flex>
  );
}

interface NameDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onSave: (name: string) => void;
}

function NameDialog({ isOpen, onClose, onSave }: NameDialogProps) {
  const [name, setName] = useState('');
  const trimmed = name.trim();
  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitComplete={() => setName('')}
      title={t`Save filters`}
      verb={t`Save`}
      isDirty={false}
      isPending={false}
      canSubmit={trimmed !== ''}
      onSubmit={async () => {
        if (trimmed) onSave(trimmed);
      }}
    >
      <FormField label={t`Name`} help={t`Saved in this browser, without the period.`}>
        <Input value={name} maxLength={NAME_MAX} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </FormField>
    </FormModal>
  );
}

/** Returns the keys of a list's hidden columns, and a function that shows or hides a column. */
export function useHiddenColumns(list: string): [readonly string[], (key: string) => void] {
  const [{ hidden }, change] = usePreferences(list);
  const toggle = (key: string) =>
    change({ hidden: hidden.includes(key) ? hidden.filter((other) => other !== key) : [...hidden, key] });
  return [hidden, toggle];
}

interface ColumnChoiceProps {
  /** Columns that can be hidden. */
  columns: readonly { key: string; label: string }[];
  hidden: readonly string[];
  onToggle: (key: string) => void;
}

/** A menu that shows and hides a table's columns. */
export function ColumnChoice({ columns, hidden, onToggle }: ColumnChoiceProps) {
  return (
    <Menu.Root closeOnSelect={false} positioning={{ placement: 'bottom-end' }} lazyMount unmountOnExit>
      <Menu.Trigger asChild>
        <Button variant="outline">
          <Columns3 aria-hidden />
          {t`Columns`}
        </Button>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {columns.map(({ key, label }) => (
              <Menu.CheckboxItem
                key={key}
                value={key}
                checked={!hidden.includes(key)}
                onCheckedChange={() => onToggle(key)}
              >
                {label}
                <Menu.ItemIndicator ms="auto" />
              </Menu.CheckboxItem>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
