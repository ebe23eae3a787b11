import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { FieldErrors } from 'react-hook-form';
import { useDeferredWhilePressed } from '#lib/browser/held-values.ts';
import { UnsavedChanges } from '../editing/unsaved-changes.tsx';
import { AlertLine } from '../feedback/alert-line.tsx';
import { FormAlert } from './form-alert.tsx';

interface SettingsFormProps {
  isDirty: boolean;
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
  isDirty,
  isSaving,
  errors,
  onSave,
  onDiscard,
  conflict,
  note,
  isOfSearch = false,
  children,
}: SettingsFormProps) {
  // Waits for the end of a press: if the first change is made by leaving a field, the bar would cover the button
  // being pressed.
  const hasBar = useDeferredWhilePressed(isDirty);
  return (
    <chakra.form
      noValidate
      display="flex"
      flexDirection="column"
      gap="5"
      minW="0"
      // Keeps focused elements clear of the bar.
      css={{ '& :is(input, textarea, select, button)': { scrollMarginBlock: '{spacing.24}' } }}
      onSubmit={(event) => {
        event.preventDefault();
        // Enter in a field works like the Save button, which is displayed only if there are changes.
        if (isDirty && !isSaving) void onSave();
      }}
    >
      {note}
      {children}
      {errors.root?.message ? <AlertLine>{errors.root.message}</AlertLine> : <FormAlert errors={errors} />}
      {hasBar && (
        <Flex
          role="group"
          aria-label={t`Unsaved changes`}
          position="sticky"
          bottom="5"
          zIndex="docked"
          align="center"
          wrap="wrap"
          gap="2.5"
          ps="5"
          pe="3"
          py="3"
          bg="bg.panel"
          borderWidth="1px"
          borderColor="border.emphasized"
          borderRadius="l3"
          boxShadow="md"
          animationStyle="appear"
        >
          <Box boxSize="2" borderRadius="full" bg="warning.emphasized" flexShrink="0" />
          <Text flex="1 1 10rem" fontWeight="medium">
            {t`You have unsaved changes`}
          </Text>
          <Flex gap="2.5" ms="auto">
            <Button type="button" variant="outline" onClick={onDiscard} disabled={isSaving}>
              {t`Discard`}
            </Button>
            <Button type="submit" loading={isSaving} loadingText={t`Save`}>
              {t`Save`}
            </Button>
          </Flex>
        </Flex>
      )}
      <UnsavedChanges isDirty={isDirty} isOfSearch={isOfSearch} onSave={onSave} />
      {conflict}
    </chakra.form>
  );
}
