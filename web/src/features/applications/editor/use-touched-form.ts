import { type FieldValues, type UseFormProps, type UseFormReturn, useForm } from 'react-hook-form';

/**
 * A form that validates a field when it is left, and an invalid one at every change. That is react-hook-form's mode
 * 'onTouched', except that a row added to a list is not marked as wrong before anybody has visited it.
 */
export function useTouchedForm<Values extends FieldValues>(props: Omit<UseFormProps<Values>, 'mode'>) {
  const form = useForm<Values>({ ...props, mode: 'onBlur' });
  const register: UseFormReturn<Values>['register'] = (name, options) =>
    form.register(name, {
      ...options,
      onChange: async (event) => {
        await options?.onChange?.(event);
        if (form.getFieldState(name).error) await form.trigger(name);
      },
    });
  return { ...form, register };
}
