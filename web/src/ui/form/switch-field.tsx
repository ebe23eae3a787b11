import { Flex } from '@chakra-ui/react';
import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form';
import { AlertLine } from '../feedback/alert-line.tsx';
import { Switch, type SwitchProps } from './switch.tsx';

interface SwitchFieldProps<Values extends FieldValues, Body> extends Omit<SwitchProps, 'isOn' | 'onChange'> {
  control: Control<Values, unknown, Body>;
  name: FieldPathByValue<Values, boolean | undefined>;
}

/** A form's switch with its error below. */
export function SwitchField<Values extends FieldValues, Body>({
  control,
  name,
  ...text
}: SwitchFieldProps<Values, Body>) {
  const { field, fieldState } = useController({ control, name });
  return (
    <Flex direction="column" gap="2">
      <Switch {...text} isOn={field.value === true} onChange={field.onChange} />
      {fieldState.error && <AlertLine>{fieldState.error.message}</AlertLine>}
    </Flex>
  );
}
