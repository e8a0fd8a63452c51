import type { Decorator, Preview } from '@storybook/react-vite'
import '../src/styles/index.css'
import './preview.css'

/**
 * Puts each story into a root of the kit in the chosen theme. The theme arrives with the decorator's context,
 * from the toolbar or from a story's `globals: { theme: 'dark' }`, so nothing has to be set in an effect.
 */
const inTheme: Decorator = (Story, { globals }) => (
  <div className="as-root story" data-theme={globals['theme'] === 'dark' ? 'dark' : 'light'}>
    <Story />
  </div>
)

const preview: Preview = {
  tags: ['autodocs'],
  // What one story leaves unsent is not the next one's.
  beforeEach: () => sessionStorage.clear(),
  decorators: [inTheme],
  initialGlobals: { theme: 'light' },
  globalTypes: {
    theme: {
      description: 'Colour theme',
      toolbar: {
        title: 'Theme',
        icon: 'mirror',
        dynamicTitle: true,
        items: [
          { value: 'light', title: 'Light', icon: 'sun' },
          { value: 'dark', title: 'Dark', icon: 'moon' },
        ],
      },
    },
  },
  parameters: { a11y: { test: 'error' } },
}
export default preview
