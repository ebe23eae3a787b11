import { Field, Flex } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { FocusEvent, ReactNode } from 'react';
import { useDeferredWhilePressed } from '#lib/browser/use-deferred-while-pressed.ts';
import { said } from '#words/said.ts';

/**
 * What is wrong with a field that is not one of Chakra's; announced when it appears. @param id for `aria-describedby`
 */
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
  /** One Chakra input; the field gives it its id, its description and its invalid state. */
  children: ReactNode;
}

const HOLDS_TEXT = 'textarea, input:is([type=text], [type=email], [type=tel], [type=url], :not([type]))';

/** Trims a text as if the person had typed it (spec 1 §5), so that input listeners are told. */
function trim({ target }: FocusEvent<Element>): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) || !target.matches(HOLDS_TEXT))
    return;
  const trimmed = target.value.trim();
  if (trimmed === target.value) return;
  // Bypasses React, which overrides the `value` setter of its inputs and would not notice the change.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(target), 'value')?.set?.call(target, trimmed);
  target.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Label above, help below, error below in its place, which waits for the end of a press. A text is trimmed when the
 * field is left.
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
        {error && said(error)}
      </Field.ErrorText>
    </Field.Root>
  );
}
