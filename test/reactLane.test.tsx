import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import * as React from 'react'
import Markdown from 'react-markdown'
import * as ReactDOM from 'react-dom'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { createStore, useStore } from 'zustand'

const lane = process.env['EXPECT_REACT'] ?? ''
const store = createStore(() => ({ name: 'zustand' }))
const client = new QueryClient()

/** Uses hooks of each library that imports React: a second copy of React would throw here. */
function Everyone(): React.ReactElement {
  const { name } = useStore(store)
  const isSame = useQueryClient() === client
  return (
    <div>
      {name} {isSame ? 'query' : ''} <Markdown>{'*markdown*'}</Markdown>
    </div>
  )
}

const tree = (
  <QueryClientProvider client={client}>
    <Everyone />
  </QueryClientProvider>
)

describe('React lane', () => {
  it('runs on the major version it is named after, react-dom included', () => {
    expect(React.version.split('.')[0]).toBe(lane)
    expect(ReactDOM.version.split('.')[0]).toBe(lane)
  })

  it('shares its React with every library that uses it', () => {
    render(tree)
    expect(screen.getByText('markdown')).toBeInTheDocument()
    expect(screen.getByText(/zustand query/)).toBeInTheDocument()
  })

  it('renders on the server', () => {
    expect(renderToString(tree)).toContain('<em>markdown</em>')
  })
})
