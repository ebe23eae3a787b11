import { Field, Flex } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { FocusEvent, ReactNode } from 'react';
import { useDeferredWhilePressed } from '#lib/browser/held-values.ts';
import { translateShared } from '#words/words.ts';

/** An announced error, for fields that aren't Chakra's. @param id ID for the input's `aria-describedby` */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <Flex id={id} role="alert" align="center" gap="1.5" textStyle="xs" fontWeight="medium" color="fg.error">
      <CircleAlert size={14} aria-hidden />
      {children}
    </Flex>
  );
}

interface FormFieldProps {
  label: string;
  help?: string;
  error?: string | undefined;
  isRequired?: boolean;
  /** A single Chakra input. The field sets its ID, description and invalid state. */
  children: ReactNode;
}

const TEXT_INPUTS = 'textarea, input:is([type=text], [type=email], [type=tel], [type=url], :not([type]))';

/** Trims an input's value as if the user had typed it (spec 1 §5), so that input listeners run. */
function trim({ target }: FocusEvent<Element>): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) || !target.matches(TEXT_INPUTS))
    return;
  const trimmed = target.value.trim();
  if (trimmed === target.value) return;
  // Bypasses React's own `value` setter. Otherwise, React would ignore the input event.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), 'value')?.set?.call(target, trimmed);
  target.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * A labelled input whose help is replaced by its error. A new error appears only after a press has ended, because the
 * error moves the content below it. The value is trimmed when the field loses focus.
 */
export function FormField({ label, help, isRequired = false, children, ...props }: FormFieldProps) {
  const error = useDeferredWhilePressed(props.error);
  return (
    <Field.Root invalid={Boolean(error)} required={isRequired} onBlurCapture={trim}>
      <Field.Label>{label}</Field.Label>
      {children}
      {help && !error && <Field.HelperText>{help}</Field.HelperText>}
      <Field.ErrorText>
        <CircleAlert size={14} aria-hidden />
        {error && translateShared(error)}
      </Field.ErrorText>
    </Field.Root>
  );
}
