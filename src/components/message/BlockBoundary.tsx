'use client'
import { Component } from 'react'
import type { ReactNode } from 'react'

/** Props of `BlockBoundary`. */
export interface BlockBoundaryProps {
  /** What may fail while rendering, such as an app's own card for a tool. */
  readonly children: ReactNode
  /** Shown in its place once it failed. */
  readonly fallback: ReactNode
}

interface BlockBoundaryState {
  readonly hasFailed: boolean
}

/** Keeps a piece that fails from taking the whole conversation with it. React reports the error to the console. */
export class BlockBoundary extends Component<BlockBoundaryProps, BlockBoundaryState> {
  /** Nothing has failed yet. */
  override readonly state: BlockBoundaryState = { hasFailed: false }

  /** Remembers the failure. */
  static getDerivedStateFromError(): BlockBoundaryState {
    return { hasFailed: true }
  }

  /** The piece, or what stands for it. */
  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
