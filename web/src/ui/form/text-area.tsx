import { Input, type InputProps, useFieldContext } from '@chakra-ui/react';
import type { ComponentProps } from 'react';

interface TextAreaProps extends ComponentProps<'textarea'> {
  fontFamily?: InputProps['fontFamily'];
}

/** A multi-line text area in the style of our other fields. Inside a `FormField`, it is wired up like an input. */
export function TextArea({ rows = 3, fontFamily, ...textarea }: TextAreaProps) {
  const field = useFieldContext();
  return (
    <Input asChild h="auto" py="2" lineHeight="normal" resize="vertical" {...(fontFamily && { fontFamily })}>
      <textarea rows={rows} {...field?.getTextareaProps()} {...textarea} />
    </Input>
  );
}
