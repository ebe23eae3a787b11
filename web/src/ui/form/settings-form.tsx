import { Box, chakra } from '@chakra-ui/react';
import { type ReactNode, useRef } from 'react';
import type { FieldErrors } from 'react-hook-form';
import { useDeferredWhilePressed } from '#lib/browser/held-values.ts';
import { SaveBar, useKeepFieldClear, useSaveKey } from '../editing/save-bar.tsx';
import { UnsavedChanges } from '../editing/unsaved-changes.tsx';
import { AlertLine } from '../feedback/alert-line.tsx';
import { FormAlert } from './form-alert.tsx';

interface SettingsFormProps {
  /** Number of changed fields. */
  changes: number;
  isSaving: boolean;
  /** react-hook-form's `formState.errors`. `root` contains a refusal that isn't about a specific field. */
  errors: FieldErrors;
  /** Saves the settings and returns true on success. */
  onSave: () => Promise<boolean>;
  onDiscard: () => void;
  /** Dialog for resolving conflicts with another user's changes. */
  conflict?: ReactNode;
  /** Note displayed above the fields, e.g. that input was restored. */
  note?: ReactNode;
  /** True if the query string identifies the edited item, so that changing the query string leaves the form. */
  isOfSearch?: boolean;
  children: ReactNode;
}

/**
 * Settings that are edited in place. The first change opens a bar with Save and Discard, and leaving with unsaved
 * changes asks first.
 */
export function SettingsForm({
  changes,
  isSaving,
  errors,
  onSave,
  onDiscard,
  conflict,
  note,
  isOfSearch = false,
  children,
}: SettingsFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const isDirty = changes > 0;
  // Waits for the end of a press: if the first change is made by leaving a field, the bar would cover the button
  // being pressed.
  const shown = useDeferredWhilePressed(changes);
  // Enter in a field works like the Save button, which is displayed only if there are changes.
  const save = () => {
    if (isDirty && !isSaving) void onSave();
  };
  useSaveKey(form, save);
  useKeepFieldClear(form, bar, shown > 0);
  return (
    <chakra.form
      ref={form}
      noValidate
      display="flex"
      flexDirection="column"
      gap="5"
      minW="0"
      // Keeps focused elements clear of the bar.
      css={{ '& :is(input, textarea, select, button)': { scrollMarginBlock: '{spacing.24}' } }}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {note}
      {children}
      {errors.root?.message ? <AlertLine>{errors.root.message}</AlertLine> : <FormAlert errors={errors} />}
      {shown > 0 && (
        <Box
          ref={bar}
          position="sticky"
          bottom="5"
          zIndex="docked"
          alignSelf="center"
          maxW="full"
          animationStyle="appear"
        >
          <SaveBar changes={shown} isSaving={isSaving} onDiscard={onDiscard} />
        </Box>
      )}
      <UnsavedChanges isDirty={isDirty} isOfSearch={isOfSearch} onSave={onSave} />
      {conflict}
    </chakra.form>
  );
}
