import { type NavigateOptions, type To, useLocation, useNavigate } from 'react-router-dom';
import { isStillAt, isStillWithin } from './is-still-at.ts';

/**
 * Like `useNavigate`, for a step after an answer: it does nothing once the person has gone to another page.
 * @param within the path below which everything belongs to the page; only the present path where absent.
 */
export function useNextStep(within?: string) {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  return (to: To, options?: NavigateOptions) => {
    if (within === undefined ? isStillAt(pathname) : isStillWithin(within)) void navigate(to, options);
  };
}
