import { type FieldValues, type UseFormProps, type UseFormReturn, useForm } from 'react-hook-form';

/**
 * A form that validates a field on blur, and then on every change while it is invalid. Unlike react-hook-form's mode
 * 'onTouched', it doesn't mark a new row in a list as invalid before the row has been visited.
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
