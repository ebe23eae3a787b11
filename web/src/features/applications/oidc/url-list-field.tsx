import { Button, Flex, IconButton, Input, Text } from '@chakra-ui/react';
import { t } from '@lingui/core/macro';
import { Plus, X } from 'lucide-react';
import { keepFieldFocus } from '#lib/browser/focus.ts';
import { Hint } from '#ui/feedback/hint.tsx';
import { FormField } from '#ui/form/form-field.tsx';

interface UrlListFieldProps {
  /** Label for a single address, e.g. 'Callback URL'. */
  label: string;
  help: string;
  placeholder?: string;
  isRequired: boolean;
  rows: readonly { id: string }[];
  /** Returns the form props for a row's input. */
  inputOf: (row: number) => object;
  errorOf: (row: number) => string | undefined;
  onAdd: () => void;
  onRemove: (row: number) => void;
}

/** Edits a list of addresses, one per row. The first row can't be removed. */
export function UrlListField({ label, help, placeholder, isRequired, rows, ...list }: UrlListFieldProps) {
  return (
    <Flex direction="column" gap="3" role="group" aria-label={t`${label}s`}>
      {rows.map(({ id }, row) => (
        <Flex key={id} gap="2" align="flex-end">
          <FormField
            label={row === 0 ? label : `${label} ${row + 1}`}
            isRequired={isRequired && row === 0}
            error={list.errorOf(row)}
            {...(row === 0 && { help })}
          >
            <Flex gap="2">
              <UrlInput {...list.inputOf(row)} placeholder={placeholder} />
              {row > 0 && (
                <Hint text={t`Remove ${label} ${row + 1}`}>
                  <IconButton
                    {...keepFieldFocus}
                    variant="ghost"
                    aria-label={t`Remove ${label} ${row + 1}`}
                    onClick={() => list.onRemove(row)}
                  >
                    <X />
                  </IconButton>
                </Hint>
              )}
            </Flex>
          </FormField>
        </Flex>
      ))}
      <Button {...keepFieldFocus} variant="outline" size="sm" alignSelf="flex-start" onClick={list.onAdd}>
        <Plus />
        <Text as="span">{t`Add ${label}`}</Text>
      </Button>
    </Flex>
  );
}

function UrlInput({ placeholder, ...input }: { placeholder: string | undefined }) {
  return <Input {...input} placeholder={placeholder} inputMode="url" autoComplete="off" spellCheck={false} />;
}
