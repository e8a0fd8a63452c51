'use client'
import { forwardRef, useEffect, useId, useRef, useState } from 'react'
import type {
  ClipboardEvent,
  ForwardRefExoticComponent,
  MouseEvent,
  ReactElement,
  RefAttributes,
} from 'react'
import type { MessageContent } from '../../hooks/index.js'
import { getTextContent } from '../../protocol/index.js'
import type { Msg } from '../../protocol/index.js'
import { Button } from '../button/Button.js'
import { Offers } from '../button/Offers.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import { Icon } from '../icon/Icon.js'
import { filesOf } from './Attachment.js'
import { AttachmentChip } from './AttachmentChip.js'
import {
  ComposerActions,
  ComposerAttachments,
  ComposerField,
  ComposerLine,
  ComposerRoot,
  ComposerStatus,
} from './ComposerParts.js'
import { ComposerInput } from './ComposerInput.js'
import { useAttachments } from './useAttachments.js'
import type { Attachments } from './useAttachments.js'
import type { ComposerBlock, ComposerFormProps } from '../chat-root/SlotProps.js'

const noTypes: readonly string[] = []

/**
 * The field for the person's message. It can be typed in at any time; when it cannot be sent, a line says why and the text stays.
 * Knows no store; `Composer` connects it.
 *
 * Renders a `div`. Parts: `ComposerRoot`, `ComposerField`, `ComposerInput`, `ComposerAttachments`, `ComposerActions`, `ComposerLine`, `ComposerStatus`.
 * Data attributes of the root: `data-mode` = `send`, `stop` or `stopping`, `data-blocked` = the reason.
 */
export const ComposerForm: ForwardRefExoticComponent<
  ComposerFormProps & RefAttributes<HTMLDivElement>
> = forwardRef(function ComposerForm(props, ref) {
  const {
    placeholder,
    defaultText = '',
    submitKey,
    blockedBy = null,
    mode = 'send',
    ...others
  } = props
  const {
    accept = noTypes,
    takenBack = null,
    onTextChange,
    onSend,
    onSendLater,
    onReview,
    onStop,
    ...rest
  } = others
  const { actions, composer } = useChatUi().words
  const [text, setShownText] = useState(defaultText)
  /** What is in the field, ahead of what is shown: of two submits in one tick the second finds it empty. */
  const draft = useRef(defaultText)
  const [hasTried, setTried] = useState(false)
  const attachments = useAttachments(accept)
  const field = useRef<HTMLTextAreaElement>(null)
  const statusId = useId()
  const isEmpty = text.trim() === '' && attachments.list.length === 0

  const setText = (next: string): void => {
    draft.current = next
    setShownText(next)
    onTextChange?.(next)
  }
  const deliver = async (send: (content: MessageContent) => void): Promise<void> => {
    const words = draft.current
    if (attachments.list.length === 0) {
      if (words.trim() === '') return
      setText('')
      send(words)
      return
    }
    const blocks = await attachments.read()
    if (blocks === null) return
    attachments.clear()
    setText('')
    send(words.trim() === '' ? blocks : [...blocks, { type: 'text', text: words }])
  }
  const submit = (): void => {
    setTried(blockedBy !== null && !isEmpty)
    if (blockedBy === null) void deliver(onSend)
  }
  const lastTaken = useRef<Msg | null>(null)
  useEffect(() => {
    if (takenBack === null || takenBack === lastTaken.current) return
    lastTaken.current = takenBack
    const texts = [getTextContent(takenBack, '\n\n') ?? '', draft.current]
    setText(texts.filter((words) => words.trim() !== '').join('\n\n'))
    attachments.add(filesOf(takenBack))
    field.current?.focus()
  })
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    // Office puts a picture of the text beside the text: then the text is meant.
    const { files, types } = event.clipboardData
    if (accept.length === 0 || files.length === 0 || types.includes('text/plain')) return
    event.preventDefault()
    attachments.add(files)
  }
  const sendLater =
    onSendLater === undefined
      ? undefined
      : (): void => {
          void deliver(onSendLater)
          setTried(false)
          field.current?.focus()
        }
  const reason = blockedBy === 'run' && !hasTried ? null : blockedBy
  const status = statusOf(reason, attachments, composer)
  const isParked = reason === 'request' || reason === 'tool'
  const offers = [
    [composer.review, reason === 'request' ? onReview : undefined],
    [composer.stopInstead, isParked ? onStop : undefined],
    [actions.sendLater, reason === 'run' ? sendLater : undefined],
  ] as const
  // An empty field loses nothing: its reason is told to assistive technology only, and the field stays where it is.
  const isQuiet = reason !== null && isEmpty
  return (
    <ComposerRoot {...rest} ref={ref} data-mode={mode} data-blocked={blockedBy ?? undefined}>
      <ComposerField
        onClick={(event: MouseEvent<HTMLDivElement>) => {
          if (event.target === event.currentTarget) field.current?.focus()
        }}
      >
        {attachments.list.length === 0 ? null : (
          <ComposerAttachments>
            {attachments.list.map((attachment) => (
              <AttachmentChip
                key={attachment.key}
                attachment={attachment}
                onRemove={() => {
                  attachments.remove(attachment)
                  field.current?.focus()
                }}
              />
            ))}
          </ComposerAttachments>
        )}
        <ComposerInput
          ref={field}
          value={text}
          submitKey={submitKey}
          placeholder={placeholder ?? composer.placeholder}
          aria-label={composer.label}
          aria-describedby={status === null ? undefined : statusId}
          onChange={(event) => setText(event.target.value)}
          onPaste={paste}
          onSubmitKey={submit}
        />
        <ComposerActions>
          {accept.length === 0 ? null : <AttachButton accept={accept} onFiles={attachments.add} />}
          <MainButton
            mode={mode === 'stop' && !isEmpty && blockedBy === null ? 'send' : mode}
            isOff={isEmpty || blockedBy !== null}
            onSend={submit}
            onStop={onStop}
          />
        </ComposerActions>
      </ComposerField>
      {status === null ? null : (
        <ComposerLine className={isQuiet ? 'as-sr-only' : undefined}>
          <ComposerStatus id={statusId} className={isQuiet ? 'as-sr-only' : undefined}>
            {status}
          </ComposerStatus>
          {isQuiet ? null : <Offers offers={offers} />}
        </ComposerLine>
      )}
    </ComposerRoot>
  )
})

function statusOf(
  reason: ComposerBlock | null,
  attachments: Attachments,
  words: ReturnType<typeof useChatUi>['words']['composer'],
): string | null {
  const reasons = {
    request: words.blockedByRequest,
    tool: words.blockedByTool,
    run: words.blockedByRun,
    offline: words.blockedOffline,
    gone: words.blockedByLoss,
    failure: words.blockedByFailure,
  } satisfies Record<ComposerBlock, string>
  if (reason !== null) return reasons[reason]
  return attachments.refused === null ? null : words.attachmentRefused(attachments.refused)
}

interface MainButtonProps {
  readonly mode: 'send' | 'stop' | 'stopping'
  readonly isOff: boolean
  readonly onSend: () => void
  readonly onStop: (() => void) | undefined
}

/** One element for sending and stopping, so that focus stays on it when one becomes the other. */
function MainButton({ mode, isOff, onSend, onStop }: MainButtonProps): ReactElement {
  const { composer } = useChatUi().words
  const label = { send: composer.send, stop: composer.stop, stopping: composer.stopping }[mode]
  const press = (event: MouseEvent): void => {
    if (mode === 'send') onSend()
    // The second click of a double click on "send" would stop what the first began.
    else if (event.detail < 2) onStop?.()
  }
  return (
    <Button
      data-as-part="composer-send"
      look="accent"
      className="as-composer-send"
      data-mode={mode}
      aria-label={label}
      title={label}
      aria-disabled={mode === 'stopping' || (mode === 'send' && isOff)}
      onClick={press}
    >
      <Icon name={mode === 'send' ? 'arrowUp' : mode === 'stop' ? 'stop' : 'spinner'} />
    </Button>
  )
}

function AttachButton(props: {
  readonly accept: readonly string[]
  readonly onFiles: (files: Iterable<File>) => void
}): ReactElement {
  const { accept, onFiles } = props
  const { composer } = useChatUi().words
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={accept.join(',')}
        aria-label={composer.attach}
        onChange={(event) => {
          onFiles(event.target.files ?? [])
          // So that the same file can be chosen again.
          event.target.value = ''
        }}
      />
      <Button
        data-as-part="composer-attach"
        look="icon"
        aria-label={composer.attach}
        title={composer.attach}
        onClick={() => picker.current?.click()}
      >
        <Icon name="attach" />
      </Button>
    </>
  )
}
