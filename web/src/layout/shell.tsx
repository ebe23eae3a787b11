import { Outlet } from 'react-router-dom';

/** The frame of the private area. */
export default function Shell() {
  return <Outlet />;
}
