import { useState } from 'react';
import { type DefaultValues, type FieldValues, type Resolver, useForm } from 'react-hook-form';
import { showRefusal } from './show-refusal.ts';

interface SettingsFormOptions<Values extends FieldValues> {
  resolver: Resolver<Values, unknown, Values>;
  /** As the server has them. */
  saved: Values;
  /** Saves and answers with what the server then has. Throws the refusal. */
  save: (values: Values) => Promise<Values>;
}

/** A form of settings: what is changed elsewhere comes in where nobody has typed, refusals stand under their fields. */
export function useSettingsForm<Values extends FieldValues>({ resolver, saved, save }: SettingsFormOptions<Values>) {
  const [isSaving, setIsSaving] = useState(false);
  const form = useForm<Values, unknown, Values>({
    resolver,
    mode: 'onTouched',
    defaultValues: saved as DefaultValues<Values>,
    values: saved,
    resetOptions: { keepDirtyValues: true },
  });

  // The options above are for what comes in by itself.
  const reset = (values: Values) => form.reset(values, { keepDirtyValues: false });

  const onSave = async () => {
    let isSaved = false;
    setIsSaving(true);
    await form.handleSubmit(async (values) => {
      try {
        reset(await save(values));
        isSaved = true;
      } catch (failure) {
        showRefusal(form, failure);
      }
    })();
    setIsSaving(false);
    return isSaved;
  };

  const { isDirty, errors } = form.formState;
  /** For the `SettingsForm` around the fields. */
  const frame = { isDirty, isSaving, errors, onSave, onDiscard: () => reset(saved) };
  return { form, frame };
}
