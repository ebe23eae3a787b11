import { Field } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface FormFieldProps {
  label: string;
  help?: string;
  error?: string | undefined;
  isRequired?: boolean;
  /** One Chakra input; the field gives it its id, its description and its invalid state. */
  children: ReactNode;
}

/** Label above, help below, error below in its place. */
export function FormField({ label, help, error, isRequired = false, children }: FormFieldProps) {
  return (
    <Field.Root invalid={Boolean(error)} required={isRequired}>
      <Field.Label>{label}</Field.Label>
      {children}
      {help && !error && <Field.HelperText>{help}</Field.HelperText>}
      <Field.ErrorText>
        <CircleAlert size={14} aria-hidden />
        {error}
      </Field.ErrorText>
    </Field.Root>
  );
}
