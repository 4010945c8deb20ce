-- A script is edited in Neovim: the config that it starts feels it, first what is typed and then what is saved.
local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then print("TIMEOUT " .. what) end
end
local function say(label, value) io.stdout:write(label .. "\t" .. vim.fn.json_encode(value) .. "\n") end
local clients_of = vim.lsp.get_clients or vim.lsp.get_active_clients

local config = vim.api.nvim_get_current_buf()
local function errors() return #vim.diagnostic.get(config, { severity = vim.diagnostic.severity.ERROR }) end
wait("client", function() return clients_of()[1] ~= nil end)
vim.wait(1500, function() return errors() > 0 end, 20)
say("before", errors())
vim.cmd("edit train.sh")
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "accelerate launch --num_processes 7 train.py --config config.yaml" })
wait("typed", function() return errors() > 0 end)
say("typed", errors())
vim.cmd("undo")
wait("undone", function() return errors() == 0 end)
say("undone", errors())
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "accelerate launch --num_processes 7 train.py --config config.yaml" })
vim.cmd("write")
wait("saved", function() return errors() > 0 end)
say("saved", errors())
say("servers", #clients_of())
vim.cmd("qa!")
