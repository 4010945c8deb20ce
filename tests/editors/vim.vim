" A walk through Vim, with the client that the set-up has chosen: each step waits until it can begin.
func Say(label, value)
  call writefile([a:label .. "\t" .. json_encode(a:value)], 'said.txt', 'a')
endfunc

func Popup()
  return join(map(popup_list(), {_, id -> join(getbufline(winbufnr(id), 1, '$'), "\n")}), '')
endfunc

func Window(option, value)
  let l:found = filter(range(1, winnr('$')), {_, number -> getwinvar(number, a:option) ==# a:value})
  return empty(l:found) ? [] : getbufline(winbufnr(l:found[0]), 1, '$')
endfunc

if exists('g:loaded_ale_dont_use_this_in_other_plugins_please')
  let g:ale_hover_to_preview = 1
  func Diagnostics()
    return map(copy(ale#engine#GetLoclist(bufnr())), {_, found -> [found.lnum - 1, found.code, found.text]})
  endfunc
  func AskHover()
    ALEHover
  endfunc
  func Hover()
    return join(Window('&previewwindow', 1), "\n")
  endfunc
  let s:offered = []
  func Take(data, items)
    let [s:data, s:offered] = [a:data, map(copy(a:items), {_, item -> item[1]})]
  endfunc
  func AskActions()
    pclose
    call ale#codefix#Execute(0, function('Take'))
  endfunc
  func Actions()
    return map(copy(s:offered), {_, action -> action.title})
  endfunc
  func Choose(kind)
    for l:action in filter(copy(s:offered), {_, action -> action.kind =~# '^' .. a:kind})[:0]
      call ale#codefix#ApplyLSPCodeAction(s:data, l:action)
      call ale#Queue(0)
    endfor
  endfunc
  func QuickFix()
    call Choose('quickfix')
  endfunc
  func FixAll()
    call ale#codefix#Execute(0, {data, items -> [Take(data, items), Choose('source')]})
  endfunc
elseif exists('g:lsp_loaded')  " vim-lsp
  func Diagnostics()
    let l:found = lsp#internal#diagnostics#state#_get_all_diagnostics_grouped_by_server_for_uri(lsp#utils#get_buffer_uri())
    let l:found = get(get(get(l:found, 'grpo-lint', {}), 'params', {}), 'diagnostics', [])
    return map(copy(l:found), {_, found -> [found.range.start.line, found.code, found.message]})
  endfunc
  func AskHover()
    LspHover
  endfunc
  func Hover()
    return Popup()
  endfunc
  func AskActions()
    LspCodeAction
  endfunc
  func Actions()
    return filter(map(Window('&filetype', 'lsp-quickpick'), {_, line -> matchstr(line, '\[grpo-lint\] \zs.*')}), {_, title -> !empty(title)})
  endfunc
  func QuickFix()
    call feedkeys("\<CR>", 't')
  endfunc
  func FixAll()
    LspCodeActionSync source.fixAll
  endfunc
else  " yegappan/lsp
  call LspOptionsSet(#{usePopupInCodeAction: v:true})
  func Diagnostics()
    silent! LspDiag show
    let l:found = map(getloclist(0), {_, found -> [found.lnum - 1, found.text]})
    silent! lclose
    return l:found
  endfunc
  func AskHover()
    LspHover
  endfunc
  func Hover()
    return Popup()
  endfunc
  func AskActions()
    call popup_clear()
    LspCodeAction
  endfunc
  func Actions()
    return map(split(Popup(), "\n"), {_, line -> substitute(line, '^\s*\d\+\.\s*\*\?', '', '')})
  endfunc
  func QuickFix()
    call popup_clear()
    LspCodeAction 1
  endfunc
  func FixAll()
    LspFixAll
  endfunc
endif

func Misspell()
  call setline(1, ['# grpo-lint: version=4.6.0 world-size=8', 'rlhf_type: grpo', 'num_generations: 8', 'per_device_train_batch_size: 8', 'train_type: lora'])
  call cursor(5, 3)
  doautocmd TextChanged
endfunc

let s:steps = [
    \ [{-> !empty(Diagnostics())}, {-> Say('diagnostics', Diagnostics())}],
    \ [{-> 1}, {-> cursor(3, 3)}],
    \ [{-> 1}, {-> AskHover()}],
    \ [{-> Hover() =~# 'completions'}, {-> Say('hover', Hover())}],
    \ [{-> 1}, {-> AskActions()}],
    \ [{-> !empty(Actions())}, {-> Say('actions', Actions())}],
    \ [{-> 1}, {-> QuickFix()}],
    \ [{-> getline(5) =~# 'steps: 8'}, {-> Say('buffer', getline(1, '$'))}],
    \ [{-> empty(Diagnostics())}, {-> Say('after', len(Diagnostics()))}],
    \ [{-> 1}, {-> Misspell()}],
    \ [{-> !empty(Diagnostics())}, {-> FixAll()}],
    \ [{-> getline(5) =~# 'tuner_type'}, {-> Say('fixed', getline(1, '$'))}],
    \ [{-> 1}, {-> execute('qall!')}],
    \ ]
func Go(timer)
  if s:steps[0][0]()
    call call(remove(s:steps, 0)[1], [])
  endif
endfunc
call timer_start(100, 'Go', #{repeat: -1})
