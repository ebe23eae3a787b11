export default function TestDeviceDialog(_props: { isOpen: boolean; onClose: () => void }) {
  return null;
}
