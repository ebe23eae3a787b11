import { useState } from 'react';
import { type DefaultValues, type FieldValues, type Resolver, useForm } from 'react-hook-form';
import { showRefusal } from '#lib/notices/show-refusal.ts';
import { useVersionedForm, type VersionedFormOptions } from './use-versioned-form.tsx';

interface SettingsFormOptions<Values extends FieldValues> extends Omit<VersionedFormOptions<Values>, 'form'> {
  resolver: Resolver<Values, unknown, Values>;
}

/** Manages a settings form that displays refusals below their fields and detects simultaneous edits by other users. */
export function useSettingsForm<Values extends FieldValues>({ resolver, ...options }: SettingsFormOptions<Values>) {
  const [isSaving, setIsSaving] = useState(false);
  const form = useForm<Values, unknown, Values>({
    resolver,
    mode: 'onTouched',
    defaultValues: options.saved.values as DefaultValues<Values>,
  });
  const { errors } = form.formState;
  const { save, discard, conflict, note, changes } = useVersionedForm<Values>({ form, ...options });

  const onSave = async () => {
    let isSaved = false;
    setIsSaving(true);
    await form.handleSubmit(async (values) => {
      try {
        isSaved = (await save(values)) !== undefined;
      } catch (failure) {
        showRefusal(form, failure);
      }
    })();
    setIsSaving(false);
    return isSaved;
  };

  /** Props for the `SettingsForm` around the fields. */
  const frame = { changes, isSaving, errors, onSave, onDiscard: discard, conflict, note };
  return { form, frame };
}
