import type { ReactNode, ReactElement } from 'react'
import * as kit from '../../src/components/index.js'
import { TransportError } from '../../src/protocol/index.js'
import {
  data,
  hint,
  reply,
  text,
  thinking,
  toolCall,
  toolResult,
  unknown,
} from '../../stories/fixtures/blocks.js'
import { stillBackend } from '../../stories/fixtures/stillBackend.js'
import { describePart } from './describePart.js'
import { atOnce, inChat } from './inChat.js'
import { askedFor } from './requests.js'

const inConversation = (children: ReactNode): ReactElement => inChat(stillBackend(), children)
const unfolded = (Root: kit.DisclosureRoot) =>
  function inRoot(children: ReactNode): ReactElement {
    return <Root defaultOpen>{children}</Root>
  }
const nothing = (): void => undefined
const request = askedFor(toolCall('Bash', { command: 'ls' }))

describePart('AgentChat', {
  part: kit.AgentChat,
  name: 'agent-chat',
  props: { backend: stillBackend(), options: atOnce },
})
describePart('Button', { part: kit.Button, name: 'mine', props: { 'data-as-part': 'mine' } })
describePart('ChatRoot', { part: kit.ChatRoot, name: 'chat-root' })
describePart('CopyButton', {
  part: kit.CopyButton,
  name: 'copy-button',
  props: { getText: () => '' },
})

describePart('Composer', { part: kit.Composer, name: 'composer', within: inConversation })
describePart('ComposerActions', { part: kit.ComposerActions, name: 'composer-actions' })
describePart('ComposerAttachments', { part: kit.ComposerAttachments, name: 'composer-attachments' })
describePart('ComposerField', { part: kit.ComposerField, name: 'composer-field' })
describePart('ComposerForm', {
  part: kit.ComposerForm,
  name: 'composer',
  props: { onSend: nothing },
})
describePart('ComposerInput', {
  part: kit.ComposerInput,
  name: 'composer-input',
  props: { value: '', readOnly: true },
})
describePart('ComposerRoot', { part: kit.ComposerRoot, name: 'composer' })
describePart('ComposerStatus', { part: kit.ComposerStatus, name: 'composer-status' })

describePart('ConfirmCard', {
  part: kit.ConfirmCard,
  name: 'confirm-card',
  props: { request },
  within: inConversation,
})
describePart('ConfirmCardActions', { part: kit.ConfirmCardActions, name: 'confirm-card-actions' })
describePart('ConfirmCardCall', { part: kit.ConfirmCardCall, name: 'confirm-card-call' })
describePart('ConfirmCardRoot', { part: kit.ConfirmCardRoot, name: 'confirm-card' })
describePart('ConfirmCardStatus', { part: kit.ConfirmCardStatus, name: 'confirm-card-status' })
describePart('ConfirmCardTitle', { part: kit.ConfirmCardTitle, name: 'confirm-card-title' })
describePart('ConfirmDialog', {
  part: kit.ConfirmDialog,
  name: 'confirm-dialog',
  props: { open: true, onOpenChange: nothing, requests: [request] },
  within: inConversation,
})
describePart('ConfirmForm', {
  part: kit.ConfirmForm,
  name: 'confirm-card',
  props: { request, send: null, canRemember: true, onDecide: nothing, onRetry: nothing },
})

describePart('ConnectionLineView', {
  part: kit.ConnectionLineView,
  name: 'connection-line',
  props: {
    connection: { phase: 'failed', cause: new TransportError('server', '500') },
    onRetry: nothing,
  },
})
describePart('DataBlockView', {
  part: kit.DataBlockView,
  name: 'data-block-view',
  props: { block: data('application/pdf', 'AAAA') },
})
describePart('EmptyState', {
  part: kit.EmptyState,
  name: 'empty-state',
  props: { onPick: nothing },
})
describePart('FileCard', {
  part: kit.FileCard,
  name: 'file-card',
  props: { name: 'a.pdf', mediaType: 'application/pdf' },
})

describePart('HintView', {
  part: kit.HintView,
  name: 'hint-view',
  props: { block: hint('Be brief.') },
})
describePart('HintViewContent', {
  part: kit.HintViewContent,
  name: 'hint-view-content',
  within: unfolded(kit.HintViewRoot),
})
describePart('HintViewRoot', { part: kit.HintViewRoot, name: 'hint-view' })
describePart('HintViewTrigger', { part: kit.HintViewTrigger, name: 'hint-view-trigger' })

describePart('Message', {
  part: kit.Message,
  name: 'message',
  props: { message: reply([text('Hello')]) },
})
describePart('MessageActions', { part: kit.MessageActions, name: 'message-actions' })
describePart('MessageBody', { part: kit.MessageBody, name: 'message-body' })
describePart('MessageFacts', {
  part: kit.MessageFacts,
  name: 'message-facts',
  props: { message: reply([]), name: 'Friday' },
})
describePart('MessageFooter', { part: kit.MessageFooter, name: 'message-footer' })
describePart('MessageList', { part: kit.MessageList, name: 'message-list', within: inConversation })
describePart('MessageListColumn', { part: kit.MessageListColumn, name: 'message-list-column' })
describePart('MessageListRoot', { part: kit.MessageListRoot, name: 'message-list' })
describePart('MessageListScroller', {
  part: kit.MessageListScroller,
  name: 'message-list-scroller',
})
describePart('MessageRoot', { part: kit.MessageRoot, name: 'message' })
describePart('MessageStatus', { part: kit.MessageStatus, name: 'message-status' })

describePart('Notice', { part: kit.Notice, name: 'notice', props: { kind: 'error' } })
describePart('ReplyNotice', {
  part: kit.ReplyNotice,
  name: 'reply-notice',
  props: { message: reply([], { finished_reason: 'interrupted' }) },
})
describePart('TextView', { part: kit.TextView, name: 'text-view', props: { block: text('Hello') } })

describePart('ThinkingPanel', {
  part: kit.ThinkingPanel,
  name: 'thinking-panel',
  props: { block: thinking('Hm.') },
})
describePart('ThinkingPanelContent', {
  part: kit.ThinkingPanelContent,
  name: 'thinking-panel-content',
  within: unfolded(kit.ThinkingPanelRoot),
})
describePart('ThinkingPanelPreview', {
  part: kit.ThinkingPanelPreview,
  name: 'thinking-panel-preview',
})
describePart('ThinkingPanelRoot', { part: kit.ThinkingPanelRoot, name: 'thinking-panel' })
describePart('ThinkingPanelTrigger', {
  part: kit.ThinkingPanelTrigger,
  name: 'thinking-panel-trigger',
})

describePart('ToolCallCard', {
  part: kit.ToolCallCard,
  name: 'tool-call-card',
  props: { call: toolCall('Bash', { command: 'ls' }), result: toolResult('ok') },
})
describePart('ToolCallCardContent', {
  part: kit.ToolCallCardContent,
  name: 'tool-call-card-content',
  within: unfolded(kit.ToolCallCardRoot),
})
describePart('ToolCallCardExcerpt', {
  part: kit.ToolCallCardExcerpt,
  name: 'tool-call-card-excerpt',
})
describePart('ToolCallCardMedia', { part: kit.ToolCallCardMedia, name: 'tool-call-card-media' })
describePart('ToolCallCardRoot', { part: kit.ToolCallCardRoot, name: 'tool-call-card' })
describePart('ToolCallCardSection', {
  part: kit.ToolCallCardSection,
  name: 'tool-call-card-section',
})
describePart('ToolCallCardTitle', { part: kit.ToolCallCardTitle, name: 'tool-call-card-title' })
describePart('ToolCallCardTrigger', {
  part: kit.ToolCallCardTrigger,
  name: 'tool-call-card-trigger',
})
describePart('ToolPhaseMark', {
  part: kit.ToolPhaseMark,
  name: 'tool-phase-mark',
  props: { phase: 'failed' },
})
describePart('UnknownView', {
  part: kit.UnknownView,
  name: 'unknown-view',
  props: { block: unknown() },
})
