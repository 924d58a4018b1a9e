-- expect: run: more than 256 keys that fall in the same place
-- 300 short names whose hashes agree in their last ten bits under the program's seed, which is no secret.
local policy = { name = "hostile", api = 1 }
local words = [[
aama abcm accf acna acpe aeap aeos agoe aibp aidu aiex ajhx ajxo akrt anxd aqqt aqvz avnb avqm azoi bbpr bcmc
bhgm bhoz bkby bmhu bmze bndk bprb btbg bxhg bzbl bzsu bzzx ccdm cfjw cjug ckcr cmio cneq cogc coxv cpwh crsk
ctda cvwl cwud cxuq dcwn decb dfeh dfwi djsw djym dkdz dpww drlo drya dtci dwhy dwvs dxwj dzeq eahr ecen ectf
efge efhj eiui ejea ejhb ejwv elwz ened eqmt euom ezil ezue faat fahn fbtp fhkz fhlb fihf fiux fjkv fkph fmdt
fmqp fpvf fpvx fqxa frfj ftzj fuau fwdc gcju gdao gdpq gfdu ggnb gifc gitv gjcw gjpz gnos gphq gqcm gsod gspg
gujk hbad heix heny heut hfah hfje hhfw hibo hijc himq hqnk hrho hstg hugs hurd hzlw iafo iaip iaiq iaqa ibml
icse ient ifid ifuh ihdx ihyy iiii imhs immx inke iria iroo iunv iusm iyai iztm jemp jgne jhgx jicp jjei jlcc
jmst jpwg jssz jtve juwm juzn jvws jxgy jzce kaae kagp kiam kiha kkay kkgu knbu kpgb kpqb kqjm kttb kuhi kvre
kwwz kxgj laqq lcbh lczi leku lgry lhbw livt lpvh lqax lscs lsnd lswd lxvq lxzc lxzp lzjh lzyh mafk mcan medb
mhxm mjoy mkbz mkcz mkfv moaf moqr motw mpbs mtdi mwuk nbwo ncgv ndpa neot nere nfxr nggz ngll ngyk nhcx njdf
njrx nkzu nlpp nuld nwov nxhl nxwb nyqi oajr oasp ockn odgo odjq odsf ognm ogzy ohkb ohlz oioh omct ooli oopv
opwx osla otcj otfe ouac ovmx owpd oxth pawp payq pcxk pdbd pdcu pgmb pkjz pkzo pnps pomy povg pvtu pwzl pxvc
pyni pyzb pzcg qbdp qcht qclt qebv qeth qgtl qhgg qiic qjjx qlhd qofb qomr qpko qqmk qrvj qwlv qxxz qymc qzmw
qzpx qzrf rbsc rdnf rehl rffn rfld rflp rfyv rghh rgvn riaz rjqz rkiv
]]

function policy:partition()
  local t, sum = {}, 0
  for i = 1, 4000 do sum = #("k" .. i) end -- so many texts that Lua keeps these words apart
  for i = 1, #words, 5 do t[words:sub(i, i + 3)] = true end
  for round = 1, 1000000 do
    for i = 1, #words, 5 do sum = sum + (t[words:sub(i, i + 3)] and 1 or 0) end
  end
  return 1 + sum
end

return policy
