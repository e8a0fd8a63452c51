'use client'
import type { ReactElement } from 'react'
import { useReply, useRequests } from '../../hooks/index.js'
import type { Msg } from '../../protocol/index.js'
import { useChatUi } from '../chat-root/ChatUi.js'
import {
  createDisclosureContent,
  createDisclosureRoot,
  createDisclosureTrigger,
} from '../disclosure/createDisclosure.js'
import { Icon } from '../icon/Icon.js'
import { Message } from '../message/Message.js'
import { NestedReplies } from '../message/NestedReplies.js'
import { ownRequests } from './ownRequests.js'

const Root = /* @__PURE__ */ createDisclosureRoot('nested-reply')
const Trigger = /* @__PURE__ */ createDisclosureTrigger('nested-reply-trigger')
const Content = /* @__PURE__ */ createDisclosureContent('nested-reply-content')

/**
 * What a sub-agent said, under the call that started it: unfolded from the beginning if it was seen to begin.
 *
 * Data attributes: `data-as-part="nested-reply"`, `data-phase`, `data-open`.
 */
export function NestedReply({ message }: { readonly message: Msg }): ReactElement {
  const phase = useReply(message.id)?.phase ?? 'ended'
  const requests = useRequests()
  const { slots, words } = useChatUi()
  const Shown = slots.Message ?? Message
  return (
    <Root defaultOpen={phase !== 'ended'} data-phase={phase}>
      <Trigger>
        <Icon name={phase === 'running' ? 'spinner' : 'spark'} />
        <span className="as-row-name">{message.name || words.conversation.assistant}</span>
      </Trigger>
      <Content>
        <NestedReplies.Provider value={null}>
          <Shown message={message} phase={phase} requests={ownRequests(requests, message.id)} />
        </NestedReplies.Provider>
      </Content>
    </Root>
  )
}
