import { attention } from 'micromark-core-commonmark'
import { gfm } from 'micromark-extension-gfm'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { flanking } from './flanking.js'

type Extension = ReturnType<typeof gfm>
type TreeExtension = ReturnType<typeof gfmFromMarkdown>[number]
type Root = Parameters<NonNullable<TreeExtension['transforms']>[number]>[0]
type TreeNode = Root | Root['children'][number]
type Construct = typeof attention
type Tokenizer = ThisParameterType<Construct['tokenize']>
type Code = Tokenizer['previous']

const TILDE = 126
const gfmSyntax = gfm({ singleTilde: false })

const emphasisSyntax: Extension = {
  text: {
    42: withFlanking(attention, '*'),
    95: withFlanking(attention, '_'),
    [TILDE]: [gfmSyntax.text?.[TILDE] ?? []].flat().map((strike) => withFlanking(strike, '~')),
  },
}

/** For the tokenizer: GFM without single tildes, and emphasis that works beside Chinese, Japanese and Korean punctuation. */
export const syntaxExtensions: readonly Extension[] = [gfmSyntax, emphasisSyntax]

/** For the tree: GFM. What looks for addresses visits every node, so it is spared where there is none. */
export const treeExtensions: readonly TreeExtension[] = gfmFromMarkdown().map((extension) => ({
  ...extension,
  transforms: extension.transforms?.map((transform): typeof transform => (tree) => {
    if (mayHoldAddress(tree)) transform(tree)
  }),
}))

function mayHoldAddress(node: TreeNode): boolean {
  if ('children' in node) return node.children.some(mayHoldAddress)
  return 'value' in node && /@|www|\/\//i.test(node.value)
}

/** The same construct with our rule of what may open and close. */
function withFlanking(construct: Construct, marker: string): Construct {
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const before = textBefore(this)
      const decide: typeof ok = (code) => {
        const run = this.events.at(-1)?.[1]
        const { canOpen, canClose } = flanking(before, textBehind(this, code), marker)
        if (run !== undefined) Object.assign(run, { _open: canOpen, _close: canClose })
        return ok(code)
      }
      return construct.tokenize.call(this, effects, decide, nok)
    },
  }
}

function textBefore(tokenizer: Tokenizer): string {
  const end = tokenizer.now()
  const { _bufferIndex: index } = end
  if (index <= 0) return characterOf(tokenizer.previous)
  return tokenizer.sliceSerialize({ start: { ...end, _bufferIndex: Math.max(0, index - 4) }, end })
}

function textBehind(tokenizer: Tokenizer, code: Code): string {
  const character = characterOf(code)
  if (!/[\uD800-\uDBFF]/.test(character)) return character
  const start = tokenizer.now()
  const { _bufferIndex: index } = start
  return tokenizer.sliceSerialize({ start, end: { ...start, _bufferIndex: index + 2 } })
}

/** Line ends and tabs have codes below zero. */
function characterOf(code: Code): string {
  return code === null || code < 0 ? '' : String.fromCharCode(code)
}
