import { Box, Button, chakra, Flex, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { FieldErrors } from 'react-hook-form';
import { useDeferredWhilePressed } from '#lib/browser/use-deferred-while-pressed.ts';
import { UnsavedChanges } from '../editing/unsaved-changes.tsx';
import { AlertLine } from '../feedback/alert-line.tsx';
import { FormAlert } from './form-alert.tsx';

interface SettingsFormProps {
  isDirty: boolean;
  isSaving: boolean;
  /** react-hook-form's `formState.errors`; `root` is a refusal that belongs to no field. */
  errors: FieldErrors;
  /** Saves, and returns whether that succeeded. */
  onSave: () => Promise<boolean>;
  onDiscard: () => void;
  /** Asks whose change to keep, where somebody has changed the same field. */
  conflict?: ReactNode;
  /** Shown first, e.g. that the input of an ended session has been restored. */
  note?: ReactNode;
  /** Whether the address says in its search what is edited: another search then leaves the form too. */
  isOfSearch?: boolean;
  children: ReactNode;
}

/**
 * Settings that are edited in place: the first change brings up a bar at the foot of the window, and leaving with
 * unsaved changes asks first.
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
  // The bar would cover what is being pressed where leaving a field is the change.
  const hasBar = useDeferredWhilePressed(isDirty);
  return (
    <chakra.form
      noValidate
      display="flex"
      flexDirection="column"
      gap="5"
      minW="0"
      // A focused element must not be hidden by the bar.
      css={{ '& :is(input, textarea, select, button)': { scrollMarginBlock: '{spacing.24}' } }}
      onSubmit={(event) => {
        event.preventDefault();
        // Enter in a field does the same as the button, which is only there with changes.
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
